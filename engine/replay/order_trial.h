// Carries out a whole order of events, even if operations fail. It keeps the versions of each row,
// and the operations whose results differ from the recorded ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/carry_out.h"
#include "engine/replay/order_draft.h"
#include "engine/replay/table_state.h"

namespace elapid::replay {

/// An operation whose result on a row differs from the recorded one.
struct Misfit {
  TxnId txn;
  const rows::RowOp* op = nullptr;
  KeyId row;
};

/// Two writers of a row: the second one started before the first one committed.
struct Overlap {
  TxnId first;
  TxnId second;
};

/// The state of a row since an event.
struct RowVersion {
  TxnId writer = TxnId::none();  ///< none(): the beginning
  std::uint32_t at = 0;          ///< the position of the event
  RowState state = {};
};

class OrderTrial {
 public:
  /// Carries out the draft's order. `takes_part`: by TxnId. Refers to history and draft.
  OrderTrial(const History& history, const OrderDraft& draft, const std::vector<bool>& takes_part,
             const RowContents& beginning);

  /// Whether all results are the recorded ones, and no writers overlap.
  [[nodiscard]] bool is_right() const { return !has_failed_; }

  /// The transactions with another result, in order.
  [[nodiscard]] std::span<const TxnId> failed() const { return failed_; }

  /// By transaction, in order. Results that no single row explains, such as counts, have none.
  [[nodiscard]] std::span<const Misfit> misfits() const { return misfits_; }

  /// The misfits of one transaction. O(log misfits).
  [[nodiscard]] std::span<const Misfit> misfits(TxnId txn) const;

  [[nodiscard]] std::span<const Overlap> overlaps() const { return overlaps_; }

  /// The versions of the row by position, the beginning first.
  [[nodiscard]] std::span<const RowVersion> versions(KeyId row) const {
    return versions_[row.index()];
  }

  /// A row, and the number of its version.
  using Write = std::pair<KeyId, std::uint32_t>;

  /// All writes, by position.
  [[nodiscard]] std::span<const Write> writes() const { return writes_; }

  [[nodiscard]] const RowVersion& version(std::size_t write) const {
    return versions_[writes_[write].first.index()][writes_[write].second];
  }

  /// The number of writes by events before the position. O(log writes).
  [[nodiscard]] std::size_t writes_before(std::uint32_t position) const;

  /// The earliest position at which the transaction could start: after the last earlier write of a
  /// row that it writes.
  [[nodiscard]] std::uint32_t first_start(TxnId txn) const { return first_start_[txn.index()]; }

  /// The deviation of each operation of the transaction: the number of rows that differ, or the
  /// excess of a count; for Known::kAny the count itself. Empty if the transaction fits.
  [[nodiscard]] std::span<const std::int32_t> deviations(TxnId txn) const;

  /// Whether the deviation is a sum over rows.
  [[nodiscard]] static bool has_deviation(const rows::RowOp& op) {
    return op.first == 0 && op.known != rows::Known::kBag;
  }

  /// What the row in this state adds to the deviation, if the transaction has not written it
  /// before.
  [[nodiscard]] std::int32_t deviation(const rows::RowOp& op, KeyId row,
                                       const RowState& state) const;

  /// As CarryOut::agrees().
  [[nodiscard]] bool agrees(const rows::RowOp& op, KeyId row, const RowState& state) const {
    return carry_out_.agrees(op, row, state);
  }

 private:
  void start(TxnId txn);
  void commit(TxnId txn);
  void note_misfits(TxnId txn);
  void note_misfits(TxnId txn, const rows::RowOp& op);
  [[nodiscard]] std::int32_t deviation_of_count(const rows::RowOp& op, const Effects& own) const;
  [[nodiscard]] bool has_written(KeyId row) const;

  const History& history_;
  const rows::Rows& rows_;
  const OrderDraft& draft_;
  TableState table_;
  CarryOut carry_out_;
  std::vector<std::vector<RowVersion>> versions_;  // by KeyId
  std::vector<Effects> effects_;                   // by TxnId, of those in flight
  std::vector<KeyId> own_rows_;                    // written by the current transaction
  std::vector<TxnId> failed_;
  std::vector<Misfit> misfits_;
  std::vector<Write> writes_;
  std::vector<std::uint32_t> first_start_;  // by TxnId
  std::unordered_map<TxnId, std::vector<std::int32_t>> deviations_;
  std::vector<Overlap> overlaps_;
  bool has_failed_ = false;
};

}  // namespace elapid::replay
