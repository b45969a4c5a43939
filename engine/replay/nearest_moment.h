// Where in a tried order a snapshot finds what its transaction was shown: the nearest such moment.
//
// Example. T found rows 1 and 2 absent and stands behind the commits of W1 and W2, which inserted
// them. One commit back row 1 alone differs, two back nothing does: T stands in front of W1 then.
// From moment to moment only the rows are looked at that the commit between them wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/replay/order_draft.h"
#include "engine/replay/order_trial.h"

namespace elapid::replay {

class NearestMoment {
 public:
  /// Borrows all.
  NearestMoment(const History& history, const OrderDraft& draft, const OrderTrial& trial);

  /// The position in front of which the start of the transaction would find everything as it did,
  /// and may stand by the draft's edges. Nothing if there is none as far as `work` reaches, of
  /// which it takes one for each operation and write looked at; and if that depends on more than
  /// rows one by one, as a limit or a bag. O(writes up to there x operations of the transaction).
  [[nodiscard]] std::optional<std::uint32_t> find(TxnId txn, std::uint64_t& work);

 private:
  /// A moment, and by how much the operations would find something else there.
  struct Cursor {
    std::size_t write = 0;  ///< the first of the trial that comes after it
    std::uint32_t position = 0;
    std::vector<std::int32_t> deviations = {};
    bool is_at_end = false;
  };

  [[nodiscard]] bool prepare(TxnId txn);
  void step_back(Cursor& cursor, std::uint32_t least) const;
  void step_on(Cursor& cursor, std::uint32_t most) const;
  void change(Cursor& cursor, KeyId row, const RowVersion& from, const RowVersion& to) const;
  [[nodiscard]] bool is_right(const Cursor& cursor) const;

  const History& history_;
  const OrderDraft& draft_;
  const OrderTrial& trial_;
  std::vector<const rows::RowOp*> ops_;                    // of the transaction at hand
  std::vector<std::pair<KeyId, std::size_t>> own_writes_;  // and by which of its operations
};

}  // namespace elapid::replay
