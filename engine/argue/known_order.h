// The certain order of events: that of sessions, real time and an initial transaction, and what
// clauses have forced so far.
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

/// That of two events the first precedes the second. Which lines of a proof show it, is looked for
/// only once something rests on it.
using Precedences = std::vector<std::pair<OrderEvent, OrderEvent>>;

/// Borrows all. To be asked while `order` has no edges but certain ones.
class KnownOrder {
 public:
  /// `line_of` tells the line that forced an edge beyond the fixed ones.
  KnownOrder(const FixedOrder& fixed, IncrementalOrder& order,
             std::function<std::uint32_t(std::uint32_t edge)> line_of)
      : fixed_(fixed), order_(order), line_of_(std::move(line_of)) {}

  [[nodiscard]] bool precedes(OrderEvent a, OrderEvent b) {
    return a != b && order_.reaches(fixed_.vertex(a), fixed_.vertex(b));
  }

  /// The lines of a proof that show these to be so, which they are.
  [[nodiscard]] std::vector<std::uint32_t> lines_of(const Precedences& precedences) const;

  /// Events that `from` precedes, near ones first, no more than `most`.
  [[nodiscard]] std::vector<OrderEvent> some_after(OrderEvent from, std::size_t most);

  /// Where the event stands in some order that is possible as far as is known.
  [[nodiscard]] std::uint32_t position(OrderEvent event) const {
    return order_.position(fixed_.vertex(event));
  }

 private:
  const FixedOrder& fixed_;
  IncrementalOrder& order_;
  std::function<std::uint32_t(std::uint32_t edge)> line_of_;
};

}  // namespace elapid::argue
