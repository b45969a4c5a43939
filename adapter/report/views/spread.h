// Things on a line that must keep their order and their distances, each as near as can be to where
// it would like to be.
#pragma once

#include <vector>

namespace elapid {

struct SpreadItem {
  double wish = 0;
  double weight = 1;  ///< how much it counts
  double size = 0;    ///< the next item is no nearer than this
};

/// Places that minimise the weighted squares of distances from the wishes: isotonic regression by
/// pooling adjacent violators (Ayer, Brunk, Ewing, Reid and Silverman 1955). Linear.
[[nodiscard]] std::vector<double> spread(const std::vector<SpreadItem>& items);

}  // namespace elapid
