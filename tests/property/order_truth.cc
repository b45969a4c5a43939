#include "tests/property/order_truth.h"

#include "tests/oracle/oracle.h"
#include "tests/support/order_levels.h"

namespace elapid {

std::vector<OrderLevel> levels_of(const History& history) {
  std::vector<OrderLevel> levels(kOrderLevels.begin(), kOrderLevels.end());
  if (!history.info().has_real_time) {
    std::erase_if(levels, [](OrderLevel level) { return level.real_time; });
  }
  return levels;
}

// Definitions imply one another, so few must be evaluated.
std::vector<bool> truth(const History& history, const std::vector<OrderLevel>& levels,
                        const Assumptions& assumptions) {
  std::vector<bool> truth(levels.size(), false);
  if (!holds(history, levels.back(), assumptions)) {
    return truth;
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    bool is_implied = false;
    for (std::size_t j = 0; j < i; ++j) {
      is_implied = is_implied || (truth[j] && implies(levels[j], levels[i]));
    }
    truth[i] = is_implied || holds(history, levels[i], assumptions);
  }
  return truth;
}

}  // namespace elapid
