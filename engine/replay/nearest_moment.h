// Where in a tried order a transaction finds what it was shown: the nearest such moment, or the one
// where least differs and the edges that would put that right.
//
// Example. T found row 1 absent and row 2 there. It stands behind the commits of W1 and W2, which
// inserted them in turn. In front of W1 row 2 is missing, behind W2 both are there, and in between
// as well: wherever T stands, one row differs. So W2 < T < W1. From moment to moment only the rows
// are looked at that the commit between them wrote.
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

struct Moment {
  using Edges = std::vector<OrderDraft::Edge>;

  std::uint32_t position = 0;  ///< in front of the event that stands there
  bool fits = false;           ///< everything is found as it was
  /// Of one that does not fit, or whose transaction writes: what brings it there, or the nearest
  /// commits that would make it fit to its other side; and the same of what is farther.
  Edges edges = {};
  Edges otherwise = {};
  Edges known = {};  ///< a row is as it was shown there alone
};

class NearestMoment {
 public:
  /// Borrows all.
  NearestMoment(const History& history, const OrderDraft& draft, const OrderTrial& trial);

  /// For the start of the transaction, as far as the draft's edges let it move, at most so many
  /// commits away. Nothing if what it finds does not follow from rows one by one, as with a limit
  /// or a bag. O(commits x operations of the transaction + versions of rows that differ).
  [[nodiscard]] std::optional<Moment> find(TxnId txn, std::size_t farthest);

 private:
  /// A moment, and by how much the operations would find something else there.
  struct Cursor {
    std::size_t write = 0;  ///< the first of the trial that comes after it
    std::uint32_t position = 0;
    std::vector<std::int32_t> deviations = {};
    bool is_at_end = false;
  };

  /// What an operation finds of a row.
  using Sight = std::pair<std::size_t, KeyId>;

  /// Positions from one to another, both included.
  using Window = std::pair<std::uint32_t, std::uint32_t>;

  [[nodiscard]] bool prepare(TxnId txn);
  void step_back(Cursor& cursor, std::uint32_t least);
  void step_on(Cursor& cursor, std::uint32_t most);
  void change(Cursor& cursor, KeyId row, const RowVersion& from, const RowVersion& to);
  [[nodiscard]] std::uint64_t differences(const Cursor& cursor) const;
  void hold(Moment& moment);
  [[nodiscard]] bool agrees(const Sight& sight, std::size_t version) const;
  [[nodiscard]] std::optional<std::size_t> agreeing_version(const Sight& sight,
                                                            std::uint32_t position, bool otherwise,
                                                            Window& window,
                                                            Moment::Edges& known) const;
  [[nodiscard]] Moment::Edges edges(Window window, std::uint32_t position, bool otherwise,
                                    Moment::Edges& known) const;
  [[nodiscard]] OrderDraft::Edge edge_to(TxnId writer, KeyId row) const;
  void add_earlier_writers(std::uint32_t position, Moment::Edges& edges) const;

  const History& history_;
  const OrderDraft& draft_;
  const OrderTrial& trial_;
  // Of the transaction at hand.
  TxnId txn_ = TxnId::none();
  std::vector<const rows::RowOp*> ops_;
  std::vector<std::pair<KeyId, std::size_t>> own_writes_;  // and by which operation
  std::vector<Sight> sights_;                              // that differ somewhere near
};

}  // namespace elapid::replay
