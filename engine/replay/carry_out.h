// One transaction carried out on the rows as they are: whether each of its operations is possible
// and finds what it did, and what it leaves behind.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/table_state.h"

namespace elapid::replay {

/// What a transaction leaves behind: the rows it wrote, each once.
using Effects = std::vector<std::pair<KeyId, RowState>>;

/// Whether the result names rows, be it none.
[[nodiscard]] inline bool lists_rows(rows::Known known) {
  return known == rows::Known::kVersions || known == rows::Known::kValues ||
         known == rows::Known::kKeys;
}

/// The same of all rows that match.
[[nodiscard]] inline bool lists_all_rows(const rows::RowOp& op) {
  return op.first == 0 && lists_rows(op.known);
}

/// Whether the transaction left every row as it was: it only reads, or its operations that write
/// what a predicate matches matched nothing.
[[nodiscard]] bool writes_nothing(const History& history, TxnId txn);

class CarryOut {
 public:
  /// Refers to both.
  CarryOut(const History& history, const TableState& table);

  /// Whether the transaction fits the rows as they are. O(its operations and what they match).
  [[nodiscard]] bool fits(TxnId txn);

  /// Whether one operation does, of a transaction that has these effects so far.
  [[nodiscard]] bool fits(const rows::RowOp& op, const Effects& before);

  /// Carries out an operation with a predicate that wrote these rows, whatever it matches.
  void write(const rows::RowOp& op, const Effects& before, std::span<const KeyId> rows);

  /// After an operation that writes what its predicate matches: the rows, ascending. After others
  /// nothing that means something.
  [[nodiscard]] const std::vector<KeyId>& matches() const { return matches_; }

  /// What the operation matches, given these effects; ascending.
  [[nodiscard]] const std::vector<KeyId>& matches(const rows::RowOp& op, const Effects& before);

  /// After it did.
  [[nodiscard]] const Effects& effects() const { return own_; }

  /// The same, to keep.
  [[nodiscard]] Effects take_effects() { return std::exchange(own_, {}); }

  /// After it did not: a row because of which it does not, as long as the row stays what it is;
  /// nothing if more than one row may be the reason.
  [[nodiscard]] std::optional<KeyId> obstacle() const { return obstacle_; }

  /// Whether the operation, before which its transaction has not written the row, can have found
  /// the row so. Of results without rows: whether the row does not match.
  [[nodiscard]] bool agrees(const rows::RowOp& op, KeyId row, const RowState& state) const;

  /// Whether the row holds what the operation was shown of it.
  [[nodiscard]] bool shows(const rows::RowOp& op, const rows::ShownRow& shown,
                           const RowState& row) const;

 private:
  [[nodiscard]] const RowState& view(KeyId row) const;

  [[nodiscard]] bool has_written(KeyId row) const { return written_in_[row.index()] == turn_; }

  void begin(const Effects& before);
  bool act(const rows::RowOp& op);
  bool find(const rows::RowOp& op);
  bool finds_shown(const rows::RowOp& op);
  bool finds_first(const rows::RowOp& op);
  [[nodiscard]] std::size_t count(const rows::RowOp& op) const;
  bool finds_bag(const rows::RowOp& op);
  void match(const rows::RowOp& op);
  void write(KeyId row, RowState state);
  void apply(const rows::RowOp& op, KeyId row);
  bool blame(KeyId row);

  const History& history_;
  const rows::Rows& rows_;
  const TableState& table_;
  Effects own_;
  std::uint64_t turn_ = 0;                 // counts the transactions that were tried
  std::vector<std::uint64_t> written_in_;  // by KeyId: the turn in which the row was written last
  std::vector<std::uint32_t> own_place_;   // by KeyId: where in own_
  std::vector<KeyId> matches_;
  bool depends_on_more_ = false;  // what was written so far is not told by the recording alone
  std::optional<KeyId> obstacle_;
};

}  // namespace elapid::replay
