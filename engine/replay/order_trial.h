// Carries out a whole order of events, even if operations fail: the versions of each row in turn,
// and the operations whose results differ from the recorded ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

  /// By transaction in order; not what failed for more than rows, as a count.
  [[nodiscard]] std::span<const Misfit> misfits() const { return misfits_; }

  [[nodiscard]] std::span<const Overlap> overlaps() const { return overlaps_; }

  /// What the row was, the beginning first, by position.
  [[nodiscard]] std::span<const RowVersion> versions(KeyId row) const {
    return versions_[row.index()];
  }

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
  [[nodiscard]] bool has_written(KeyId row) const;

  const History& history_;
  const rows::Rows& rows_;
  const OrderDraft& draft_;
  TableState table_;
  CarryOut carry_out_;
  std::vector<std::vector<RowVersion>> versions_;  // by KeyId
  std::vector<Effects> effects_;                   // by TxnId, of those in flight
  std::vector<KeyId> own_rows_;                    // written by the transaction at hand
  std::vector<Misfit> misfits_;
  std::vector<Overlap> overlaps_;
  bool has_failed_ = false;
};

}  // namespace elapid::replay
