#include "engine/workloads/counter/counter_bounds.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/workloads/conclude.h"

namespace elapid {

namespace {

struct CounterEvent {
  EventId id;
  TxnId txn;
  bool is_invocation = false;
};

/// Sums of the positive and of the negative numbers.
struct SignedSums {
  std::int64_t positive = 0;
  std::int64_t negative = 0;

  /// Returns false if a sum needs more than 64 bits.
  bool add(std::int64_t number) {
    std::int64_t& sum = number < 0 ? negative : positive;
    return !__builtin_add_overflow(sum, number, &sum);
  }
};

struct CounterState {
  SignedSums done;   // of adds that have succeeded so far
  SignedSums tried;  // of adds that have been invoked so far and do not fail
};

class Bounds {
 public:
  Bounds(const History& history, bool is_jepsen) : history_(history), is_jepsen_(is_jepsen) {
    verdict_.engine = "counter";
    verdict_.assumptions.elle_compat = is_jepsen;
    verdict_.complete = true;
    counters_.resize(is_jepsen ? 1 : std::max<std::size_t>(1, history.key_count()));
  }

  Result<Verdict> judge() {
    bool has_success = false;
    for (const CounterEvent& event : events_in_order()) {
      has_success = has_success || history_.committed(event.txn);
      if (history_.ops(event.txn).front().is_read()) {
        see_read(event);
      } else {
        ELAPID_RETURN_IF_ERROR(see_add(event));
      }
    }
    const bool is_open = is_overfull_ && (is_jepsen_ || verdict_.findings.empty());
    if (shows_nil_ || is_open) {
      return unknown(is_overfull_ ? "a sum needs more than 64 bits"
                                  : "a :read succeeded without a number");
    }
    if (!has_success && !is_jepsen_) {
      return unknown("no operation succeeded");
    }
    verdict_.entries = {{"reads", std::move(reads_)}, {"errors", std::move(errors_)}};
    verdict_.validity = verdict_.findings.empty() ? Validity::kValid : Validity::kInvalid;
    return std::move(verdict_);
  }

 private:
  /// An operation without an invocation began at some earlier time. To Jepsen it never began.
  [[nodiscard]] std::vector<CounterEvent> events_in_order() const {
    std::vector<CounterEvent> events;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.ops(txn).empty() || history_.ops(txn).front().kind() == OpKind::kOther) {
        continue;
      }
      if (history_.has_invocation(txn)) {
        events.push_back({.id = history_.invocation_id(txn), .txn = txn, .is_invocation = true});
      } else if (!is_jepsen_) {
        events.push_back({.id = {0}, .txn = txn, .is_invocation = true});
      }
      if (history_.committed(txn)) {
        events.push_back({.id = history_.completion_id(txn), .txn = txn});
      }
    }
    std::ranges::stable_sort(events, {}, [](const CounterEvent& event) {
      return std::pair(event.id, !event.is_invocation);
    });
    return events;
  }

  Result<Verdict> unknown(std::string why) {
    verdict_.validity = Validity::kUnknown;
    verdict_.complete = false;
    verdict_.findings.clear();
    verdict_.entries = {{"error", why}};
    verdict_.unknown_because = std::move(why);
    return std::move(verdict_);
  }

  [[nodiscard]] std::int64_t number_of(TxnId txn) const {
    return history_.values().as_integer(history_.ops(txn).front().value()).value_or(0);
  }

  CounterState& counter_of(TxnId txn) {
    return counters_[is_jepsen_ ? 0 : history_.ops(txn).front().key().index()];
  }

  Status see_add(const CounterEvent& event) {
    const std::int64_t number = number_of(event.txn);
    if (number < 0 && is_jepsen_) {
      return Error{.kind = ErrorKind::kMalformed,
                   .message = "Jepsen's counter takes no negative numbers, found :add " +
                              std::to_string(number) + " (index " +
                              std::to_string(history_.event_index(event.id)) + ")"};
    }
    CounterState& counter = counter_of(event.txn);
    if (!event.is_invocation) {
      is_overfull_ = !counter.done.add(number) || is_overfull_;
    } else if (history_.status(event.txn) != TxnStatus::kAborted) {
      is_overfull_ = !counter.tried.add(number) || is_overfull_;
    }
    return {};
  }

  void see_read(const CounterEvent& event) {
    if (event.is_invocation) {
      if (history_.committed(event.txn)) {
        done_before_.emplace(event.txn.value, counter_of(event.txn).done);
      }
      return;
    }
    const auto before = done_before_.find(event.txn.value);
    if (before == done_before_.end()) {
      return;  // to Jepsen, it has no invocation
    }
    const SignedSums done = before->second;
    done_before_.erase(before);
    const ValueId value = history_.ops(event.txn).front().value();
    if (value.is_nil()) {
      shows_nil_ = shows_nil_ || is_jepsen_;
      return;
    }
    const SignedSums& tried = counter_of(event.txn).tried;
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    is_overfull_ = is_overfull_ || __builtin_add_overflow(done.positive, tried.negative, &lower) ||
                   __builtin_add_overflow(done.negative, tried.positive, &upper);
    if (is_overfull_) {
      return;
    }
    note({lower, number_of(event.txn), upper}, event.txn);
  }

  void note(std::vector<std::int64_t> read, TxnId txn) {
    if (read[1] < read[0] || read[1] > read[2]) {
      errors_.push_back(read);
      if (verdict_.findings.size() < kMostFindings) {
        verdict_.findings.push_back(finding(txn, read));
      }
    }
    reads_.push_back(std::move(read));
  }

  [[nodiscard]] Description finding(TxnId txn, const std::vector<std::int64_t>& read) const {
    const std::string bounds = std::to_string(read[0]) + " to " + std::to_string(read[2]);
    Description description = {.name = "counter-bounds",
                               .gloss = "a read that the adds do not allow",
                               .actors = {{.event = representative_ref(history_, txn)}}};
    description.claims.push_back(
        {.says = phrase("The adds before and beside {} allow {}. However, it shows {}: "
                        "out of bounds!",
                        ActorPart{0}, bounds, std::to_string(read[1]))});
    return description;
  }

  const History& history_;
  bool is_jepsen_;
  Verdict verdict_;
  std::vector<CounterState> counters_;                         // by key
  std::unordered_map<std::uint32_t, SignedSums> done_before_;  // by transaction, of open reads
  NumberLists reads_;
  NumberLists errors_;
  bool shows_nil_ = false;
  bool is_overfull_ = false;
};

}  // namespace

Result<Verdict> judge_counter_bounds(const History& history, bool is_jepsen) {
  return Bounds(history, is_jepsen).judge();
}

}  // namespace elapid
