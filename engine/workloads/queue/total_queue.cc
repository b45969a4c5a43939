#include "engine/workloads/queue/total_queue.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/empty_values.h"
#include "engine/ir/value_numbers.h"
#include "engine/workloads/conclude.h"
#include "engine/workloads/queue/queue_operations.h"
#include "engine/workloads/value_order.h"

namespace elapid::queue {

namespace {

/// The numbers of enqueues and dequeues of a value.
struct Tally {
  ValueId value;
  std::int64_t attempted = 0;
  std::int64_t acknowledged = 0;
  std::int64_t acknowledged_in_time = 0;  ///< before the queue was last found empty
  std::int64_t dequeued = 0;
  TxnId enqueue = {};  ///< the first acknowledged one
  TxnId dequeue = {};  ///< the first

  [[nodiscard]] std::int64_t ok() const { return std::min(attempted, dequeued); }

  [[nodiscard]] std::int64_t unexpected() const { return attempted == 0 ? dequeued : 0; }

  [[nodiscard]] std::int64_t duplicated() const {
    return attempted == 0 ? 0 : std::max<std::int64_t>(0, dequeued - attempted);
  }

  [[nodiscard]] std::int64_t lost() const {
    return std::max<std::int64_t>(0, acknowledged - dequeued);
  }

  /// The number of lost values, unless dequeues of unknown fate took them.
  [[nodiscard]] std::int64_t missing() const {
    return std::max<std::int64_t>(0, acknowledged_in_time - dequeued);
  }

  [[nodiscard]] std::int64_t recovered() const {
    return std::max<std::int64_t>(0, ok() - acknowledged);
  }
};

using Count = std::int64_t (Tally::*)() const;

class TotalQueue {
 public:
  TotalQueue(const History& history, bool is_jepsens)
      : history_(history), is_jepsens_(is_jepsens), operations_(history), empty_(history) {
    find_last_emptiness();
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      const QueueOperation operation = operations_.of(txn);
      if (operation.is_enqueue) {
        see_enqueue(txn, operation);
      } else if (history.committed(txn)) {
        has_answer_ = true;
        has_crashed_drain_ |= operation.is_untold_drain && !is_jepsens_;
        for (const Op op : operation.values) {
          see_dequeue(txn, op.value());
        }
      } else if (operation.is_drain && history.status(txn) == TxnStatus::kIndeterminate) {
        has_crashed_drain_ = has_crashed_drain_ || !is_jepsens_ || history.has_completion(txn);
      } else if (history.status(txn) == TxnStatus::kIndeterminate) {
        ++open_dequeues_;
        has_open_fetch_ = has_open_fetch_ || operation.is_fetch;
      }
    }
    std::ranges::sort(tallies_, ValueOrder(history), &Tally::value);
  }

  Verdict verdict() {
    Verdict verdict = {.engine = "total-queue"};
    if (is_jepsens_ && has_crashed_drain_) {
      verdict.validity = Validity::kUnknown;
      verdict.unknown_because = "Jepsen's checker throws: a :drain did not complete";
      verdict.entries = {{"error", *verdict.unknown_because}};
      return verdict;
    }
    add_entries(verdict);
    add_findings(verdict);
    const std::string_view doubt = doubt_about(verdict);
    conclude(verdict, !verdict.findings.empty(), !doubt.empty(), doubt);
    return verdict;
  }

 private:
  [[nodiscard]] bool finds_nothing(TxnId txn, const QueueOperation& operation) const {
    if (operation.is_drain) {
      return history_.committed(txn) && (!operation.is_untold_drain || is_jepsens_);
    }
    return history_.status(txn) != TxnStatus::kIndeterminate && operation.values.size() == 1 &&
           empty_.contains(operation.values.front().value());
  }

  void find_last_emptiness() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const QueueOperation operation = operations_.of(txn);
      const bool is_later = history_.has_invocation(txn) &&
                            (last_empty_.is_none() ||
                             history_.invocation_id(last_empty_) < history_.invocation_id(txn));
      if (operation.is_dequeue() && is_later && finds_nothing(txn, operation)) {
        last_empty_ = txn;
      }
    }
  }

  Tally& tally(ValueId value) {
    const auto fresh = static_cast<std::uint32_t>(tallies_.size());
    const std::uint32_t place = places_.find_or_add(value, fresh);
    if (place == fresh) {
      tallies_.push_back({.value = value});
    }
    return tallies_[place];
  }

  void see_enqueue(TxnId txn, const QueueOperation& operation) {
    const ValueId tried = operation.attempted(is_jepsens_);
    tally(tried).attempted += history_.has_invocation(txn) || !is_jepsens_ ? 1 : 0;
    if (history_.committed(txn)) {
      Tally& known = tally(operation.enqueued());
      const bool is_in_time = !last_empty_.is_none() &&
                              history_.completion_id(txn) < history_.invocation_id(last_empty_);
      known.acknowledged_in_time += is_in_time ? 1 : 0;
      known.enqueue = known.acknowledged == 0 ? txn : known.enqueue;
      ++known.acknowledged;
    }
  }

  void see_dequeue(TxnId txn, ValueId value) {
    if (!is_jepsens_ && empty_.contains(value)) {
      return;
    }
    Tally& known = tally(value);
    known.dequeue = known.dequeued == 0 ? txn : known.dequeue;
    ++known.dequeued;
  }

  [[nodiscard]] std::int64_t sum(Count count) const {
    std::int64_t total = 0;
    for (const Tally& each : tallies_) {
      total += (each.*count)();
    }
    return total;
  }

  /// Each value as often as `count` says.
  [[nodiscard]] ResultValue values(Count count) const {
    std::vector<ResultValue> items;
    for (const Tally& each : tallies_) {
      items.insert(items.end(), static_cast<std::size_t>((each.*count)()),
                   ResultValue::of(each.value));
    }
    return ResultValue::vector(std::move(items));
  }

  void add_entries(Verdict& verdict) const {
    std::int64_t attempted = 0;
    std::int64_t acknowledged = 0;
    for (const Tally& each : tallies_) {
      attempted += each.attempted;
      acknowledged += each.acknowledged;
    }
    verdict.entries = {{"attempt-count", attempted},
                       {"acknowledged-count", acknowledged},
                       {"ok-count", sum(&Tally::ok)},
                       {"unexpected-count", sum(&Tally::unexpected)},
                       {"duplicated-count", sum(&Tally::duplicated)},
                       {"lost-count", sum(&Tally::lost)},
                       {"recovered-count", sum(&Tally::recovered)},
                       {"lost", values(&Tally::lost)},
                       {"unexpected", values(&Tally::unexpected)},
                       {"duplicated", values(&Tally::duplicated)},
                       {"recovered", values(&Tally::recovered)}};
  }

  /// The reason for an unknown verdict; empty if it is known.
  [[nodiscard]] std::string_view doubt_about(const Verdict& verdict) const {
    if (is_jepsens_ || !verdict.findings.empty()) {
      return "";
    }
    if (tallies_.empty() && !has_answer_) {
      return "nothing was enqueued or dequeued";
    }
    if (sum(&Tally::lost) == 0) {
      return "";
    }
    return has_crashed_drain_ ? "values are missing, and a :drain has an unknown result"
           : sum(&Tally::missing) > 0
               ? "values are missing, and operations :dequeue have unknown results"
               : "values are missing, but no :drain or empty dequeue shows that the queue is empty";
  }

  void add_findings(Verdict& verdict) const {
    std::vector<const Tally*> lost;
    std::vector<const Tally*> unexpected;
    const bool is_certain =
        !has_crashed_drain_ && !has_open_fetch_ && sum(&Tally::missing) > open_dequeues_;
    for (const Tally& each : tallies_) {
      if (is_jepsens_ ? each.lost() > 0 : is_certain && each.missing() > 0) {
        lost.push_back(&each);
      }
      if (each.unexpected() > 0) {
        unexpected.push_back(&each);
      }
    }
    if (!lost.empty()) {
      verdict.findings.push_back(describe_lost(lost));
    }
    if (!unexpected.empty()) {
      verdict.findings.push_back(describe_unexpected(unexpected));
    }
  }

  [[nodiscard]] static Phrase series(const std::vector<const Tally*>& tallies) {
    constexpr std::size_t kMost = 100;
    SeriesPart part;
    for (const Tally* each : std::span(tallies).first(std::min(tallies.size(), kMost))) {
      part.items.push_back(as_phrase(ValuePart{each->value}));
    }
    const std::size_t left = tallies.size() - part.items.size();
    return phrase("{}{}", std::move(part),
                  left == 0 ? "" : " and " + std::to_string(left) + " more");
  }

  [[nodiscard]] Description describe_lost(const std::vector<const Tally*>& lost) const {
    Description description = {
        .name = "lost",
        .gloss = "values whose enqueue was acknowledged did not come out",
        .actors = {{.event = representative_ref(history_, lost.front()->enqueue)}}};
    description.claims.push_back(
        {.says = phrase("{} enqueued {}, and was told that it had succeeded.", ActorPart{0},
                        ValuePart{lost.front()->value})});
    if (last_empty_.is_none()) {
      description.claims.push_back({.says = phrase("However, it was never dequeued: lost!")});
    } else {
      description.actors.push_back({.event = representative_ref(history_, last_empty_)});
      description.claims.push_back(
          {.says = phrase("However, {} found the queue empty afterwards, and it never came out: "
                          "a lost value!",
                          ActorPart{1})});
    }
    if (lost.size() > 1) {
      description.claims.push_back({.says = phrase("Lost are: {}.", series(lost))});
    }
    if (open_dequeues_ > 0 && !is_jepsens_) {
      description.claims.push_back(
          {.says = phrase("Of {} missing values, at most {} were taken by operations :dequeue that "
                          "did not tell.",
                          std::to_string(sum(&Tally::missing)), std::to_string(open_dequeues_))});
    }
    return description;
  }

  [[nodiscard]] Description describe_unexpected(const std::vector<const Tally*>& unexpected) const {
    Description description = {
        .name = "unexpected",
        .gloss = "values were dequeued that were never enqueued",
        .actors = {{.event = representative_ref(history_, unexpected.front()->dequeue)}}};
    description.claims.push_back({.says = phrase("No operation tried to enqueue {}.",
                                                 ValuePart{unexpected.front()->value})});
    description.claims.push_back(
        {.says =
             phrase("However, {} took it out of the queue: an unexpected value!", ActorPart{0})});
    if (unexpected.size() > 1) {
      description.claims.push_back({.says = phrase("Unexpected are: {}.", series(unexpected))});
    }
    return description;
  }

  const History& history_;
  bool is_jepsens_;
  QueueOperations operations_;
  EmptyValues empty_;
  TxnId last_empty_;                // of the operations that found nothing, the last to begin
  bool has_crashed_drain_ = false;  // a :drain ended as :info, or, except for Jepsen, did not end
  bool has_answer_ = false;         // a dequeue or :drain was answered
  bool has_open_fetch_ = false;     // a :fetch of unknown fate may have taken any number of values
  std::int64_t open_dequeues_ = 0;  // of unknown fate: each may have taken a value
  ValueNumbers places_;
  std::vector<Tally> tallies_;
};

}  // namespace

Result<Verdict> judge_total_queue(const History& history, const JudgeRequest& request) {
  ELAPID_RETURN_IF_ERROR(refuse_foreign(history));
  Verdict verdict = TotalQueue(history, request.elle_compat).verdict();
  verdict.assumptions.elle_compat = request.elle_compat;
  return verdict;
}

}  // namespace elapid::queue
