// total-queue and queue: single operations :enqueue a value, :dequeue one, or :drain what is left.
//
//   {:type :ok, :f :enqueue, :value 1}   {:type :ok, :f :drain, :value [1]}
//
// A history that drains its queue is a total-queue (total_queue.h): a :drain, or a last dequeue
// that found nothing. Another is a queue (plain_queue.h). Both are what Jepsen's tests claim of
// queues; whether a queue is linearizable is asked by `-m fifo-queue` and its like (containers).
#include <array>

#include "engine/workloads/known_workloads.h"
#include "engine/workloads/queue/plain_queue.h"
#include "engine/workloads/queue/queue_operations.h"
#include "engine/workloads/queue/total_queue.h"

namespace elapid {

namespace {

constexpr std::array<std::string_view, 1> kQueueFields = {":error"};
constexpr WorkloadType kTotalQueueType = {.name = "total-queue",
                                          .has_transactions = false,
                                          .has_objects = true,
                                          .has_own_values = true,
                                          .fields = kQueueFields};
constexpr WorkloadType kQueueType = {.name = "queue",
                                     .has_transactions = false,
                                     .has_objects = true,
                                     .has_own_values = true,
                                     .fields = kQueueFields};

/// Whether all operations are those of a queue, and something is enqueued.
bool is_queue(const Clues& clues) {
  return clues.is_whole && (clues.has_call("enqueue") || clues.has_call("publish")) &&
         clues.has_only({"enqueue", "dequeue", "drain", "publish", "fetch"});
}

bool is_drained(const Clues& clues) {
  return clues.has_call("drain") || clues.call("dequeue").ends_empty ||
         clues.call("fetch").ends_empty;
}

std::string_view recognise_total_queue(const Clues& clues) {
  return is_queue(clues) && is_drained(clues) ? "values are enqueued, and the queue is drained"
                                              : "";
}

std::string_view recognise_queue(const Clues& clues) {
  return is_queue(clues) ? "values are enqueued, and the queue is not drained" : "";
}

/// Adds what the verdict claims, and what it does not claim unless the user names the kind of
/// queue.
Result<Verdict> with_claim(Result<Verdict> verdict, std::string_view claim,
                           const JudgeRequest& request) {
  if (verdict && !request.elle_compat) {
    verdict.value().entries.push_back({"elapid/claim", std::string(claim)});
    verdict.value().entries.push_back(
        {"elapid/not-asked", ResultValue::vector({ResultValue::keyword("linearizable")})});
  }
  return verdict;
}

Result<Verdict> judge_total(const History& history, const JudgeRequest& request) {
  return with_claim(queue::judge_total_queue(history, request),
                    "each enqueued value is dequeued in the end", request);
}

Result<Verdict> judge_plain(const History& history, const JudgeRequest& request) {
  return with_claim(queue::judge_plain_queue(history, request),
                    "each dequeued value was enqueued before", request);
}

}  // namespace

WorkloadRow total_queue_row() {
  return {.workload = Workload(kTotalQueueType),
          .recognise = recognise_total_queue,
          .decode = queue::decode,
          .judge = judge_total};
}

WorkloadRow queue_row() {
  return {.workload = Workload(kQueueType),
          .recognise = recognise_queue,
          .decode = queue::decode,
          .judge = judge_plain};
}

}  // namespace elapid
