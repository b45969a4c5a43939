#include "engine/workloads/queue/plain_queue.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/infer/order.h"
#include "engine/ir/empty_values.h"
#include "engine/ir/value_numbers.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/queue/queue_operations.h"

namespace elapid::queue {

namespace {

class PlainQueue {
 public:
  PlainQueue(const History& history, bool is_jepsens)
      : history_(history), is_jepsens_(is_jepsens), operations_(history), empty_(history) {
    verdict_.engine = "queue";
    verdict_.complete = true;
  }

  Verdict judge() {
    put_uninvoked();
    EventOrder(history_).each([&](TxnId txn, EventKind kind) { see(txn, kind); });
    if (!first_error_.is_none()) {
      verdict_.validity = Validity::kInvalid;
      verdict_.entries = {{"error", "can't dequeue " + (is_jepsens_ && first_error_.is_nil()
                                                            ? std::string()
                                                            : history_.shown_text(first_error_))}};
      return std::move(verdict_);
    }
    verdict_.entries = {{"final-queue", final_queue()}};
    if (!is_jepsens_ && !has_values_) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = "nothing was enqueued or dequeued";
      verdict_.complete = false;
    }
    return std::move(verdict_);
  }

 private:
  struct Pending {
    ValueId value;
    std::uint32_t count = 0;
  };

  /// Counts enqueues without an invocation, which began at some earlier time. Jepsen does not count
  /// them.
  void put_uninvoked() {
    for (TxnId txn{0}; !is_jepsens_ && txn.index() < history_.txn_count(); ++txn.value) {
      if (const QueueOperation operation = operations_.of(txn);
          operation.is_enqueue && !history_.has_invocation(txn)) {
        has_values_ = true;
        ++pending(operation.enqueued()).count;
      }
    }
  }

  void see(TxnId txn, EventKind kind) {
    const QueueOperation operation = operations_.of(txn);
    if (operation.is_enqueue && kind == EventKind::kInvocation) {
      has_values_ = true;
      ++pending(operation.attempted(is_jepsens_)).count;
    }
    const bool takes = operation.is_dequeue() && kind == EventKind::kCompletion &&
                       history_.committed(txn) && !(is_jepsens_ && operation.is_drain);
    has_values_ = has_values_ || takes;
    for (const Op op : takes ? operation.values : std::span<const Op>()) {
      if (is_jepsens_ || !empty_.contains(op.value())) {
        take(txn, op.value());
      }
    }
  }

  void take(TxnId txn, ValueId value) {
    has_values_ = true;
    Pending& known = pending(value);
    if (known.count > 0) {
      --known.count;
      return;
    }
    first_error_ = first_error_.is_none() ? value : first_error_;
    if (verdict_.findings.size() < kMostFindings) {
      Description finding = {.name = "unexpected-dequeue",
                             .gloss = "a dequeue of a value that the queue cannot hold",
                             .actors = {{.event = representative_ref(history_, txn)}}};
      finding.claims.push_back(
          {.says = phrase("{} took {} out of the queue. However, every enqueue of it that was "
                          "tried before had been taken out already: a dequeue from nowhere!",
                          ActorPart{0}, ValuePart{value})});
      verdict_.findings.push_back(std::move(finding));
    }
  }

  Pending& pending(ValueId value) {
    const auto fresh = static_cast<std::uint32_t>(pending_.size());
    const std::uint32_t place = places_.find_or_add(value, fresh);
    if (place == fresh) {
      pending_.push_back({.value = value});
    }
    return pending_[place];
  }

  [[nodiscard]] ResultValue final_queue() const {
    std::size_t count = 0;
    for (const Pending& each : pending_) {
      count += each.count;
    }
    std::vector<ResultValue> left;
    left.reserve(count);
    for (const Pending& each : pending_) {
      left.insert(left.end(), each.count, ResultValue::of(each.value));
    }
    return ResultValue::vector(std::move(left));
  }

  const History& history_;
  bool is_jepsens_;
  QueueOperations operations_;
  EmptyValues empty_;
  Verdict verdict_;
  ValueId first_error_ = ValueId::none();
  bool has_values_ = false;  // a value was enqueued, or a dequeue was answered
  ValueNumbers places_;
  std::vector<Pending> pending_;  // in the order of their first operations
};

}  // namespace

Result<Verdict> judge_plain_queue(const History& history, const JudgeRequest& request) {
  ELAPID_RETURN_IF_ERROR(refuse_foreign(history));
  Verdict verdict = PlainQueue(history, request.elle_compat).judge();
  verdict.assumptions.elle_compat = request.elle_compat;
  return verdict;
}

}  // namespace elapid::queue
