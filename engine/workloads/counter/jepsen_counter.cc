#include "engine/workloads/counter/jepsen_counter.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace elapid {

namespace {

struct CounterEvent {
  EventId id;
  TxnId txn;
  bool is_invocation = false;
};

std::vector<CounterEvent> events_in_order(const History& history) {
  std::vector<CounterEvent> events;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.ops(txn).empty()) {
      continue;
    }
    if (history.has_invocation(txn)) {
      events.push_back({.id = history.invocation_id(txn), .txn = txn, .is_invocation = true});
    }
    if (history.committed(txn)) {
      events.push_back({.id = history.completion_id(txn), .txn = txn});
    }
  }
  std::ranges::sort(events, {}, &CounterEvent::id);
  return events;
}

class Bounds {
 public:
  explicit Bounds(const History& history) : history_(history) {
    verdict_.engine = "counter";
    verdict_.assumptions.elle_compat = true;
    verdict_.complete = true;
  }

  Result<Verdict> judge() {
    for (const CounterEvent& event : events_in_order(history_)) {
      if (history_.ops(event.txn).front().is_read()) {
        see_read(event);
      } else if (Status status = see_add(event); !status.ok()) {
        return status.error();
      }
    }
    if (shows_nil_) {
      verdict_.validity = Validity::kUnknown;
      verdict_.complete = false;
      verdict_.unknown_because = "a :read succeeded without a number";
      verdict_.entries = {{"error", *verdict_.unknown_because}};
      return std::move(verdict_);
    }
    verdict_.entries = {{"reads", std::move(reads_)}, {"errors", std::move(errors_)}};
    verdict_.validity = verdict_.findings.empty() ? Validity::kValid : Validity::kInvalid;
    return std::move(verdict_);
  }

 private:
  [[nodiscard]] std::int64_t number_of(TxnId txn) const {
    return history_.values().as_integer(history_.ops(txn).front().value()).value_or(0);
  }

  Status see_add(const CounterEvent& event) {
    const std::int64_t number = number_of(event.txn);
    if (number < 0) {
      return Error{.kind = ErrorKind::kMalformed,
                   .message = "Jepsen's counter takes no negative numbers, found :add " +
                              std::to_string(number) + " (index " +
                              std::to_string(history_.event_index(event.id)) + ")"};
    }
    if (!event.is_invocation) {
      lower_ += number;
    } else if (history_.status(event.txn) != TxnStatus::kAborted) {
      upper_ += number;
    }
    return {};
  }

  void see_read(const CounterEvent& event) {
    if (event.is_invocation) {
      lower_of_.emplace(event.txn.value, lower_);
      return;
    }
    const auto lower = lower_of_.find(event.txn.value);
    if (lower == lower_of_.end()) {
      return;  // without an invocation
    }
    const ValueId value = history_.ops(event.txn).front().value();
    shows_nil_ = shows_nil_ || value.is_nil();
    const std::vector<std::int64_t> read = {lower->second, number_of(event.txn), upper_};
    if (read[1] < read[0] || read[1] > read[2]) {
      errors_.push_back(read);
      verdict_.findings.push_back(finding(event.txn, read));
    }
    reads_.push_back(read);
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
  Verdict verdict_;
  std::unordered_map<std::uint32_t, std::int64_t> lower_of_;  // by transaction, of open reads
  NumberLists reads_;
  NumberLists errors_;
  std::int64_t lower_ = 0;
  std::int64_t upper_ = 0;
  bool shows_nil_ = false;
};

}  // namespace

Result<Verdict> judge_as_jepsen(const History& history) {
  return Bounds(history).judge();
}

}  // namespace elapid
