// The order of writes in real time, and reads that show a write but lack one that precedes it.
//
//   write 1 is acknowledged, then write 2 is invoked; a read shows #{2}: 1 is missing
//
// The acknowledgements in order are e1 < e2 < ...; a write that is invoked at event i follows those
// acknowledged before i. So among the writes that a read shows, the one invoked last determines
// which other writes the read must show.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/value_numbers.h"

namespace elapid::causal_reverse {

/// One event of a write.
struct WriteEvent {
  EventId event = EventId::none();
  TxnId txn = TxnId::none();
};

/// A read that shows the write `shown`, but not all writes acknowledged before its invocation.
struct Gap {
  TxnId read;
  ValueId shown;
  std::int64_t expected_count = 0;    ///< writes that the read must show
  std::vector<ValueId> missing = {};  ///< writes it lacks, by acknowledgement; the first ones
  bool is_cut = false;                ///< whether it lacks more than `missing`
};

class Precedence {
 public:
  /// If a value is written more than once: `last_counts` takes the last invocation, as Jepsen does;
  /// otherwise the first one that did not fail, since a read may show the value from then on; none
  /// if the history lacks the invocation of one of these.
  /// O(n log n) for n operations.
  Precedence(const History& history, bool last_counts);

  /// The gap of a read, if there is one, with at most `most` missing writes. O(m log n) for m
  /// elements, plus the missing ones.
  [[nodiscard]] std::optional<Gap> gap_of(TxnId read, std::size_t most);

  /// The invocation that counts for a value, and its acknowledgement. Requires that there is one.
  [[nodiscard]] WriteEvent invocation_of(ValueId value) const {
    return invoked_[number_.find(value)];
  }

  [[nodiscard]] WriteEvent acknowledgement_of(ValueId value) const {
    return acknowledged_[rank_of_[number_.find(value)]].first;
  }

 private:
  void see(TxnId txn, EventKind kind, bool last_counts);

  static constexpr std::uint32_t kNone = 0xffffffffU;

  [[nodiscard]] std::uint32_t number_of(ValueId value);

  const History& history_;
  ValueNumbers number_;                 // of a written value
  std::vector<WriteEvent> invoked_;     // by number
  std::vector<std::uint32_t> rank_of_;  // by number: place among the acknowledged, or kNone
  std::vector<std::pair<WriteEvent, ValueId>> acknowledged_;  // in order, each value once
  std::vector<std::uint32_t> shown_by_;  // by rank: the last read that tested it
  std::vector<std::uint32_t> numbers_;   // of the writes in a read
  std::uint32_t question_ = 0;
};

}  // namespace elapid::causal_reverse
