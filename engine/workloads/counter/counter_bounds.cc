#include "engine/workloads/counter/counter_bounds.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/infer/order.h"
#include "engine/workloads/conclude.h"

namespace elapid {

namespace {

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
    // An operation without an invocation began at some earlier time. To Jepsen it never began.
    for (TxnId txn{0}; !is_jepsen_ && txn.index() < history_.txn_count(); ++txn.value) {
      if (!history_.has_invocation(txn)) {
        ELAPID_RETURN_IF_ERROR(see(txn, EventKind::kInvocation));
      }
    }
    Status status;
    EventOrder(history_).each([&](TxnId txn, EventKind kind) {
      if (status.ok()) {
        status = see(txn, kind);
      }
    });
    ELAPID_RETURN_IF_ERROR(status);
    const bool is_open = is_overfull_ && (is_jepsen_ || verdict_.findings.empty());
    if (!untold_.empty() || is_open) {
      return unknown(is_overfull_ ? "a sum needs more than 64 bits"
                                  : std::string(untold_) + " succeeded without a number");
    }
    if (!has_success_ && !is_jepsen_) {
      return unknown("no operation succeeded");
    }
    verdict_.entries = {{"reads", std::move(reads_)}, {"errors", std::move(errors_)}};
    verdict_.validity = verdict_.findings.empty() ? Validity::kValid : Validity::kInvalid;
    return std::move(verdict_);
  }

 private:
  Status see(TxnId txn, EventKind kind) {
    const std::span<const Op> ops = history_.ops(txn);
    const bool is_end = kind == EventKind::kCompletion;
    if (ops.empty() || ops.front().kind() == OpKind::kOther ||
        (is_end && !history_.committed(txn))) {
      return {};
    }
    has_success_ = has_success_ || history_.committed(txn);
    if (!ops.front().is_read()) {
      return see_add(txn, is_end);
    }
    is_end ? see_read(txn) : begin_read(txn);
    return {};
  }

  Result<Verdict> unknown(std::string why) {
    verdict_.validity = Validity::kUnknown;
    verdict_.complete = false;
    verdict_.findings.clear();
    verdict_.entries = {{"error", why}};
    verdict_.unknown_because = std::move(why);
    return std::move(verdict_);
  }

  [[nodiscard]] std::int64_t number_of(Op op) const {
    return history_.values().as_integer(op.value()).value_or(0);
  }

  CounterState& counter_of(TxnId txn) {
    return counters_[is_jepsen_ ? 0 : history_.ops(txn).front().key().index()];
  }

  Status see_add(TxnId txn, bool is_end) {
    const std::span<const Op> ops = history_.ops(txn);
    const Op add = is_end && is_jepsen_ ? ops.back() : ops.front();
    if (!history_.values().as_integer(add.value())) {
      untold_ = "an :add";
      return {};
    }
    const std::int64_t number = number_of(add);
    if (number < 0 && is_jepsen_) {
      const EventId event = is_end ? history_.completion_id(txn) : history_.invocation_id(txn);
      return Error{.kind = ErrorKind::kMalformed,
                   .message = "Jepsen's counter takes no negative numbers, found :add " +
                              std::to_string(number) + " (index " +
                              std::to_string(history_.event_index(event)) + ")"};
    }
    CounterState& counter = counter_of(txn);
    if (is_end) {
      is_overfull_ = !counter.done.add(number) || is_overfull_;
    } else if (history_.status(txn) != TxnStatus::kAborted) {
      is_overfull_ = !counter.tried.add(number) || is_overfull_;
    }
    return {};
  }

  void begin_read(TxnId txn) {
    if (history_.committed(txn)) {
      done_before_.emplace(txn.value, counter_of(txn).done);
    }
  }

  void see_read(TxnId txn) {
    const auto before = done_before_.find(txn.value);
    if (before == done_before_.end()) {
      return;  // to Jepsen, it has no invocation
    }
    const SignedSums done = before->second;
    done_before_.erase(before);
    const ValueId value = history_.ops(txn).front().value();
    if (value.is_nil()) {
      untold_ = is_jepsen_ ? "a :read" : untold_;
      return;
    }
    const SignedSums& tried = counter_of(txn).tried;
    std::int64_t lower = 0;
    std::int64_t upper = 0;
    is_overfull_ = is_overfull_ || __builtin_add_overflow(done.positive, tried.negative, &lower) ||
                   __builtin_add_overflow(done.negative, tried.positive, &upper);
    if (is_overfull_) {
      return;
    }
    note({lower, number_of(history_.ops(txn).front()), upper}, txn);
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
  bool has_success_ = false;
  std::string_view untold_;  // what succeeded without a number
  bool is_overfull_ = false;
};

}  // namespace

Result<Verdict> judge_counter_bounds(const History& history, bool is_jepsen) {
  return Bounds(history, is_jepsen).judge();
}

}  // namespace elapid
