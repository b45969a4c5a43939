// Carries out one transaction on the current rows. It fits if each of its operations is possible
// and has its recorded result. Then its effects are known.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/table_state.h"

namespace elapid::replay {

/// The rows that a transaction writes, each once, with their states after it.
using Effects = std::vector<std::pair<KeyId, RowState>>;

/// Whether the result lists all rows that match.
[[nodiscard]] inline bool lists_all_rows(const rows::RowOp& op) {
  return op.first == 0 && op.names_rows();
}

/// Whether the transaction changes no row: it only reads, or the predicates of its writes match
/// nothing.
[[nodiscard]] bool writes_nothing(const History& history, TxnId txn);

class CarryOut {
 public:
  /// Refers to both.
  CarryOut(const History& history, const TableState& table);

  /// Whether the transaction fits the current rows. O(its operations + the rows that they match).
  [[nodiscard]] bool fits(TxnId txn);

  /// Whether one operation fits. `before`: the effects of its transaction so far.
  [[nodiscard]] bool fits(const rows::RowOp& op, const Effects& before);

  /// Carries out an operation with a predicate as if it wrote exactly these rows.
  void write(const rows::RowOp& op, const Effects& before, std::span<const KeyId> rows);

  /// The rows that match, ascending. Valid only after an operation that writes what its predicate
  /// matches.
  [[nodiscard]] const std::vector<KeyId>& matches() const { return matches_; }

  /// The rows that the operation matches after these effects, ascending.
  [[nodiscard]] const std::vector<KeyId>& matches(const rows::RowOp& op, const Effects& before);

  /// After a success.
  [[nodiscard]] const Effects& effects() const { return own_; }

  [[nodiscard]] Effects take_effects() { return std::exchange(own_, {}); }

  /// After a failure: a row that alone prevents a fit while its state stays the same. Nothing if
  /// more than one row may be the reason.
  [[nodiscard]] std::optional<KeyId> obstacle() const { return obstacle_; }

  /// Whether the operation can have found the row in this state. Its transaction must not have
  /// written the row before. For a result without rows: whether the row does not match.
  [[nodiscard]] bool agrees(const rows::RowOp& op, KeyId row, const RowState& state) const;

  /// Whether the row holds the shown contents.
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
  std::uint64_t turn_ = 0;                 // the number of tries
  std::vector<std::uint64_t> written_in_;  // by KeyId: the turn in which the row was written last
  std::vector<std::uint32_t> own_place_;   // by KeyId: the place in own_
  std::vector<KeyId> matches_;
  bool depends_on_more_ = false;  // the effects depend on more than the recorded results
  std::optional<KeyId> obstacle_;
};

}  // namespace elapid::replay
