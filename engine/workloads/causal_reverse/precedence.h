// Which writes came before others in real time, and which reads show a write without them.
//
//   write 1 is acknowledged, then write 2 is invoked; a read shows #{2}: 1 is missing
//
// The acknowledgements in order are e1 < e2 < ...; what came before a write invoked at event i is
// the acknowledgements before i. So of the writes that a read shows, the one invoked last decides
// what it must show beside them: no other demands more.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::causal_reverse {

/// One event of a write.
struct WriteEvent {
  EventId event;
  TxnId txn;
};

/// A read that shows the write `shown` and not all that was acknowledged before it was invoked.
struct Gap {
  TxnId read;
  ValueId shown;
  std::int64_t expected_count = 0;    ///< writes that the read must show
  std::vector<ValueId> missing = {};  ///< those that it does not, in the order of acknowledgements
};

class Precedence {
 public:
  /// Of a value written more than once, the last invocation counts if `last_counts`, as for Jepsen;
  /// else the first of those that did not fail, since a read may show the value from then on.
  /// O(n log n) for n operations.
  Precedence(const History& history, bool last_counts);

  /// The gap of a read, if there is one. O(m log n) for m elements, and what is missing.
  [[nodiscard]] std::optional<Gap> gap_of(TxnId read);

  /// The events by which a value counts as invoked and as acknowledged. Requires that it was.
  [[nodiscard]] WriteEvent invocation_of(ValueId value) const { return invoked_.at(value); }

  [[nodiscard]] WriteEvent acknowledgement_of(ValueId value) const {
    return acknowledged_[rank_of_.at(value)].first;
  }

 private:
  void see(TxnId txn, EventKind kind, bool last_counts);

  const History& history_;
  std::unordered_map<ValueId, WriteEvent> invoked_;
  std::vector<std::pair<WriteEvent, ValueId>> acknowledged_;  // in order, each value once
  std::unordered_map<ValueId, std::uint32_t> rank_of_;        // place among them
  std::vector<std::uint32_t> shown_by_;                       // by rank: the last read that asked
  std::uint32_t question_ = 0;
};

}  // namespace elapid::causal_reverse
