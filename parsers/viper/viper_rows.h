// Makes a History of rows of Viper's transactions that read ranges, insert or delete.
//
// Viper's clients never delete a row: they write a tombstone into it, a value of its own, and a
// range also returns rows with tombstones. So deletes in a log are writes of tombstones here, and
// their results are reads of tombstones, which are values ["dead" 102]:
//
//   ["i", 1, 101, 0, true, true]              [:insert 1 101]
//   ["d", 1, 102, 101, false, true]           [:r 1 101] [:w 1 ["dead" 102]]
//   ["i", 1, 103, 102, true, true]            [:r 1 ["dead" 102]] [:w 1 103]
//   ["range", 1, 5, [{"id": 2, "val": 7}], [{"id": 1, "val": 102}]]
//                                             [:rp [:key 1 5] {2 7, 1 ["dead" 102]}]
//
// A row that a range does not return was never written before. Rows do not vanish, so few facts
// about the beginning are needed. The rows of the initial transaction existed. So did the rows that
// showed a value without a writer: Viper takes it for the initial state. Every other relevant row
// was seen to be absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "engine/rows/rows_builder.h"
#include "parsers/bytes/sources.h"
#include "parsers/viper/viper_txn.h"

namespace elapid {

/// The first element of a tombstone.
inline constexpr std::string_view kViperDead = "\"dead\"";

/// Holds all transactions until the end, because only then the values without a writer are known.
class ViperRows {
 public:
  /// Borrows the builder of the history, which makes the values.
  explicit ViperRows(HistoryBuilder& history) : history_(history), rows_(history) {}

  /// Adds a transaction of this session, or the initial one. Error kMalformed for a second initial
  /// transaction.
  Status add(const ViperTxn& txn, std::int64_t session);

  /// Gives all transactions to the history's builder, and to `info` the facts about them. An
  /// unwritten value means no row if it is nil, 0 or `nothing`. Error kMalformed, located: a
  /// repeated row in a range, or keys that are no integers beside ranges with bounds.
  Status finish(Sources& sources, ValueId nothing, HistoryInfo& info) &&;

 private:
  struct StoredTxn {
    std::int64_t session = 0;
    SourcePosition position = {};
    std::size_t op_begin = 0;
    std::size_t op_count = 0;
  };

  static std::uint64_t pack(ValueId key, ValueId value) {
    return (std::uint64_t{key.bits()} << 32) | value.bits();
  }

  [[nodiscard]] bool is_unknown(ValueId key, ValueId value) const;
  [[nodiscard]] bool is_nothing(ValueId key, ValueId value) const;
  void note_written();
  void note_contents();
  void learn(ValueId key, const ViperCell& cell, SourcePosition position);
  void settle();
  void settle(ValueId key, ViperCell& cell);
  Status hand_over_contents();
  Status hand_over(const StoredTxn& txn);
  Status push(const ViperOp& op, SourcePosition position);
  Status push_range(const ViperOp& op, SourcePosition position);
  Status push(const rows::RowOpInput& input);
  rows::Field field(const ViperCell& cell);
  void describe(HistoryInfo& info) const;

  HistoryBuilder& history_;
  rows::RowsBuilder rows_;
  std::vector<StoredTxn> txns_;
  std::optional<StoredTxn> initial_;
  std::vector<ViperOp> ops_;
  std::vector<ViperRow> shown_;
  std::size_t failed_writes_ = 0;
  std::size_t tombstones_ = 0;

  ValueId nothing_ = ValueId::nil();
  std::unordered_set<std::uint64_t, SeededHash> written_;  // as packed numbers
  // The initial contents of rows, in the order of discovery, and their places by key.
  std::vector<ViperRow> contents_;
  std::unordered_map<ValueId, std::size_t> content_of_;
  std::optional<SourcePosition> first_unknown_;
  std::size_t unknown_rows_ = 0;
  std::vector<MopInput> mops_;
};

}  // namespace elapid
