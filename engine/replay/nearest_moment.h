// The nearest moment in a tried order at which a transaction finds its recorded results. If there
// is none, the moment with the fewest differences, and the edges that would remove these.
//
// Example. T found row 1 absent and row 2 present. W1 inserted row 1, then W2 inserted row 2.
// Before W1 row 2 is missing, after W1 row 1 is present: one row or more differ at each moment. So
// W2 < T < W1. From one moment to the next only the rows change that the commit between them wrote.
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

  std::uint32_t position = 0;  ///< the moment is before the event at this position
  bool fits = false;           ///< all results are the recorded ones
  /// Supposed edges: they bring the transaction to this moment, or the nearest commits that make it
  /// fit to the other side of it. Empty for a moment that fits if the transaction only reads.
  Edges edges = {};
  Edges otherwise = {};  ///< if `edges` close a cycle: the same with commits on the other side
  Edges known = {};      ///< certain edges: the versions of a row leave no other explanation
};

class NearestMoment {
 public:
  /// Borrows all.
  NearestMoment(const History& history, const OrderDraft& draft, const OrderTrial& trial);

  /// The moment for the start of the transaction, within the room that the draft's edges leave and
  /// at most `farthest` commits away. Nothing if its results are no sums over rows, as with a limit
  /// or a bag. O(commits x operations of the transaction + versions of rows that differ).
  [[nodiscard]] std::optional<Moment> find(TxnId txn, std::size_t farthest);

 private:
  /// A moment, and the deviations of the operations there.
  struct Cursor {
    std::size_t write = 0;  ///< the trial's first write after it
    std::uint32_t position = 0;
    std::vector<std::int32_t> deviations = {};
    bool is_at_end = false;
  };

  /// An operation, by its number in ops_, and a row that it concerns.
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
  // The current transaction.
  TxnId txn_ = TxnId::none();
  std::vector<const rows::RowOp*> ops_;
  std::vector<std::pair<KeyId, std::size_t>> own_writes_;  // with the number of the operation
  std::vector<Sight> sights_;                              // whose deviation changes on the way
};

}  // namespace elapid::replay
