#include "engine/argue/known_order.h"

namespace elapid::argue {

std::vector<std::uint32_t> KnownOrder::lines_of(const Precedences& precedences) const {
  const auto first_forced = static_cast<std::uint32_t>(fixed_.edges().size());
  std::vector<std::uint32_t> lines;
  for (const auto& [a, b] : precedences) {
    for (const std::uint32_t edge :
         order_.cheapest_path(fixed_.vertex(a), fixed_.vertex(b),
                              [&](std::uint32_t e) { return e >= first_forced; })) {
      if (edge >= first_forced) {
        lines.push_back(line_of_(edge));
      }
    }
  }
  return lines;
}

std::vector<OrderEvent> KnownOrder::some_after(OrderEvent from, std::size_t most) {
  std::vector<OrderEvent> events;
  for (const std::uint32_t vertex : order_.some_after(fixed_.vertex(from), most)) {
    if (fixed_.is_event(vertex) && vertex != fixed_.vertex(from)) {
      events.push_back(fixed_.event(vertex));
    }
  }
  return events;
}

}  // namespace elapid::argue
