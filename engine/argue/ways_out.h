// The ways to avoid a failure. One of its causes must be false: the reader precedes the writer, or
// another transaction is between them. The certain order excludes some ways.
//
// Example: T1 inserted row 7, T5 may have deleted it, and T2 was not shown it. Either T2 precedes
// T1, or the order is T1, T5, T2. But T3, which certainly follows T2, was shown row 7, and only T1
// inserts row 7. So T5 is not between T1 and T2, and T2 precedes T1.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "engine/argue/fixed_order.h"
#include "engine/argue/known_order.h"
#include "engine/argue/origins.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/ir/history.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

/// `reader` precedes `writer`; or, if there is a `middle`, the middle is between the two, or before
/// the reader if the writer is none().
struct WayOut {
  TxnId writer;
  TxnId middle;  ///< or none()
  TxnId reader;
};

struct WaysOut {
  std::vector<WayOut> ways = {};
  Precedences precedences = {};          ///< that exclude other ways
  std::vector<LaterFinding> later = {};  ///< that exclude other ways
};

/// Borrows all.
class WaysOutSearch {
 public:
  /// Excludes no way after `writes` was looked at `most_looked` times.
  WaysOutSearch(const History& history, const RowWrites& writes, const Origins& origins,
                const FixedOrder& fixed, KnownOrder& known, std::uint64_t most_looked)
      : history_(history),
        writes_(writes),
        origins_(origins),
        fixed_(fixed),
        known_(known),
        most_looked_(most_looked) {}

  /// The ways out of a failure of kind kFound.
  [[nodiscard]] WaysOut find(const Failure& failure);

 private:
  [[nodiscard]] std::vector<TxnId> others(const Failure& failure, const LastWriter& cause) const;
  void add_reader_first(const Failure& failure, TxnId reader, WaysOut& out);
  void drop_no_better(const Failure& failure, const LastWriter& cause,
                      std::vector<TxnId>& others) const;
  void drop_overwriters(const LastWriter& cause, std::vector<TxnId>& others, WaysOut& out);
  void drop_before_maker(const Failure& failure, const LastWriter& cause,
                         std::vector<TxnId>& others, WaysOut& out);
  void drop_after_successor(const LastWriter& cause, std::vector<TxnId>& others, WaysOut& out);
  template <class May>
  bool drop_overwriting(const Sight& sight, const LastWriter& cause, std::vector<TxnId>& others,
                        May may);
  [[nodiscard]] bool excludes(TxnId txn, KeyId row) const;
  [[nodiscard]] const Sight* sight_of(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t part,
                                      ValueId value) const;
  void drop_by_order(const LastWriter& cause, std::vector<TxnId>& others, WaysOut& out);
  [[nodiscard]] bool writes_with(TxnId txn, KeyId row, std::uint32_t part,
                                 std::uint32_t also) const;
  [[nodiscard]] const Sight* sight_after(TxnId reader, KeyId row, std::uint32_t part,
                                         ValueId value);
  bool is_last_maker(const LastWriter& cause, std::uint32_t part, ValueId value,
                     Precedences& precedences);
  void note_later(TxnId reader);

  const History& history_;
  const RowWrites& writes_;
  const Origins& origins_;
  const FixedOrder& fixed_;
  KnownOrder& known_;
  std::uint64_t most_looked_;
  std::optional<WayOut> dropped_;  // an excluded way, by order or by a later finding
  // The transactions that certainly follow a reader, near ones first.
  TxnId later_of_ = TxnId::none();
  std::unordered_map<std::uint32_t, std::uint32_t> later_;
};

}  // namespace elapid::argue
