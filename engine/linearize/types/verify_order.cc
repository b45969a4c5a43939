#include "engine/linearize/types/verify_order.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace elapid::linearize {

bool is_order_of(const Operations& operations, std::span<const std::uint32_t> order,
                 Replay& replay) {
  std::vector<bool> is_used(operations.size());
  std::uint32_t latest = 0;
  for (const std::uint32_t place : order) {
    if (place >= operations.size() || is_used[place]) {
      return false;
    }
    is_used[place] = true;
    const Operation& op = operations[place];
    if (op.returned < latest || !replay.apply(op, place)) {
      return false;
    }
    latest = std::max(latest, op.invoked);
  }
  for (std::size_t place = 0; place < operations.size(); ++place) {
    if (!is_used[place] && !operations[place].is_open()) {
      return false;
    }
  }
  return true;
}

}  // namespace elapid::linearize
