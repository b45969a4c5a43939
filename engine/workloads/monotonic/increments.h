// The order of operations on keys that only grow, and its cycles.
//
//   T1 shows {0 1, 1 2}, T2 shows {0 2, 1 1}: key 0 puts T1 before T2, key 1 puts T2 before T1
//
// An operation precedes those that show a larger value of a key, and those that began after it
// ended. The graph needs few edges: a vertex of its own stands between two successive values of a
// key, and real time is a chain of vertices (engine/infer/order.h).
#pragma once

#include <vector>

#include "engine/ir/history.h"

namespace elapid::monotonic {

/// One operation of a cycle; it precedes the next one.
struct CycleStep {
  TxnId from;
  ValueId key = ValueId::none();  ///< the key that grows; none(): by real time
  ValueId before = ValueId::none();
  ValueId after = ValueId::none();
};

struct IncrementCycles {
  bool shows_something = false;                     ///< whether some operation shows a value
  std::size_t component_count = 0;                  ///< number of cyclic components of operations
  std::vector<std::vector<CycleStep>> cycles = {};  ///< a short one for each of the first ones
};

/// Over committed operations, which read keys and values in turn. At most `most` cycles. O(n log n)
/// for n keys in operations, and O(n) for each cycle.
[[nodiscard]] IncrementCycles find_increment_cycles(const History& history, std::size_t most);

}  // namespace elapid::monotonic
