// The certain order of events: by sessions, real time, an initial transaction, and clauses that the
// proof has forced so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "engine/argue/fixed_order.h"
#include "engine/graph/incremental_order.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::argue {

/// Pairs of events, the first before the second. The lines of a proof that show a pair are found
/// only when something depends on the pair.
using Precedences = std::vector<std::pair<OrderEvent, OrderEvent>>;

/// Borrows all. Call while `order` has only certain edges.
class KnownOrder {
 public:
  /// `line_of`: the line that forced an edge other than the fixed ones.
  KnownOrder(const FixedOrder& fixed, IncrementalOrder& order,
             std::function<std::uint32_t(std::uint32_t edge)> line_of)
      : fixed_(fixed), order_(order), line_of_(std::move(line_of)) {}

  [[nodiscard]] bool precedes(OrderEvent a, OrderEvent b) {
    return a != b && order_.reaches(fixed_.vertex(a), fixed_.vertex(b));
  }

  /// The lines of a proof that show these pairs, which must be certain.
  [[nodiscard]] std::vector<std::uint32_t> lines_of(const Precedences& precedences) const;

  /// At most `most` events that `from` precedes, near ones first.
  [[nodiscard]] std::vector<OrderEvent> some_after(OrderEvent from, std::size_t most);

  /// The place of the event in some order that agrees with all certain facts.
  [[nodiscard]] std::uint32_t position(OrderEvent event) const {
    return order_.position(fixed_.vertex(event));
  }

 private:
  const FixedOrder& fixed_;
  IncrementalOrder& order_;
  std::function<std::uint32_t(std::uint32_t edge)> line_of_;
};

}  // namespace elapid::argue
