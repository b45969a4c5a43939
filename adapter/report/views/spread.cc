#include "adapter/report/views/spread.h"

#include <cstddef>

namespace elapid {
namespace {

/// Items that move together.
struct Pool {
  double sum = 0;  // of weighted wishes
  double weight = 0;
  std::size_t size = 0;

  [[nodiscard]] double mean() const { return sum / weight; }
};

}  // namespace

std::vector<double> spread(const std::vector<SpreadItem>& items) {
  std::vector<Pool> pools;
  double offset = 0;  // the sum of the sizes before an item: without sizes only the order counts
  for (const SpreadItem& item : items) {
    pools.push_back({(item.wish - offset) * item.weight, item.weight, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().weight + last.weight,
                      pools.back().size + last.size};
    }
    offset += item.size;
  }
  std::vector<double> places;
  offset = 0;
  for (const Pool& pool : pools) {
    for (std::size_t i = 0; i < pool.size; ++i) {
      places.push_back(pool.mean() + offset);
      offset += items[places.size() - 1].size;
    }
  }
  return places;
}

}  // namespace elapid
