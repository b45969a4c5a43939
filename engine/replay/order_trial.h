// Carries out a whole order of events, even if operations fail: the versions of each row in turn,
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

/// An operation that found a row as it did not find it.
struct Misfit {
  TxnId txn;
  const rows::RowOp* op = nullptr;
  KeyId row;
};

/// Two that write a row, of which the later one started before the earlier one committed.
struct Overlap {
  TxnId first;
  TxnId second;
};

/// What a row was from an event on.
struct RowVersion {
  TxnId writer = TxnId::none();  ///< none(): the beginning
  std::uint32_t at = 0;          ///< the position of the event
  RowState state = {};
};

class OrderTrial {
 public:
  /// Carries out the draft's order of the transactions marked. Refers to history and draft.
  OrderTrial(const History& history, const OrderDraft& draft, const std::vector<bool>& takes_part,
             const RowContents& beginning);

  /// Whether every operation found what it did.
  [[nodiscard]] bool is_right() const { return !has_failed_; }

  /// Transactions with an operation that did not, in order.
  [[nodiscard]] std::span<const TxnId> failed() const { return failed_; }

  /// By transaction in order; not what failed for more than rows, as a count.
  [[nodiscard]] std::span<const Misfit> misfits() const { return misfits_; }

  /// The same of one transaction. O(log misfits).
  [[nodiscard]] std::span<const Misfit> misfits(TxnId txn) const;

  [[nodiscard]] std::span<const Overlap> overlaps() const { return overlaps_; }

  /// What the row was, the beginning first, by position.
  [[nodiscard]] std::span<const RowVersion> versions(KeyId row) const {
    return versions_[row.index()];
  }

  /// A row, and which of its versions.
  using Write = std::pair<KeyId, std::uint32_t>;

  /// All that was written, by position.
  [[nodiscard]] std::span<const Write> writes() const { return writes_; }

  [[nodiscard]] const RowVersion& version(std::size_t write) const {
    return versions_[writes_[write].first.index()][writes_[write].second];
  }

  /// How many of them were written by events before the position. O(log writes).
  [[nodiscard]] std::size_t writes_before(std::uint32_t position) const;

  /// The first position behind the last write of a row before the transaction itself wrote it.
  [[nodiscard]] std::uint32_t first_start(TxnId txn) const { return first_start_[txn.index()]; }

  /// By how much each operation of the transaction found something else than it did: rows that
  /// differ, or by how much a count is too high; of Known::kAny the count. Empty if all fitted.
  [[nodiscard]] std::span<const std::int32_t> deviations(TxnId txn) const;

  /// Whether that follows from rows one by one.
  [[nodiscard]] static bool has_deviation(const rows::RowOp& op) {
    return op.first == 0 && op.known != rows::Known::kBag;
  }

  /// What the row adds to that in this state, if the transaction has not written it before.
  [[nodiscard]] std::int32_t deviation(const rows::RowOp& op, KeyId row,
                                       const RowState& state) const;

  /// Whether the operation, before which its transaction has not written the row, can have found
  /// the row so.
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
  std::vector<KeyId> own_rows_;                    // written by the transaction at hand
  std::vector<TxnId> failed_;
  std::vector<Misfit> misfits_;
  std::vector<Write> writes_;
  std::vector<std::uint32_t> first_start_;  // by TxnId
  std::unordered_map<TxnId, std::vector<std::int32_t>> deviations_;
  std::vector<Overlap> overlaps_;
  bool has_failed_ = false;
};

}  // namespace elapid::replay
