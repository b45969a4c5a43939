// Places items on a line, each as near as possible to its wish, with their order and distances
// kept.
#pragma once

#include <vector>

namespace elapid {

struct SpreadItem {
  double wish = 0;
  double weight = 1;  ///< the weight of its wish
  double size = 0;    ///< the next item is no nearer than this
};

/// Places with the least weighted squares of the distances from the wishes: isotonic regression by
/// pooling adjacent violators (Ayer, Brunk, Ewing, Reid and Silverman 1955). Linear.
[[nodiscard]] std::vector<double> spread(const std::vector<SpreadItem>& items);

}  // namespace elapid
