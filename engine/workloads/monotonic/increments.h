// The order of operations on keys that only grow, and its cycles.
//
//   T1 shows {0 1, 1 2}, T2 shows {0 2, 1 1}: key 0 puts T1 before T2, key 1 puts T2 before T1
//
// An operation comes before those that show a larger value of a key, and before those that began
// after it had ended. A graph has all this with few edges: between two successive values of a key
// stands a vertex of its own, and real time is a chain of vertices (engine/infer/order.h).
#pragma once

#include <vector>

#include "engine/ir/history.h"

namespace elapid::monotonic {

/// That an operation comes before the next one of a cycle.
struct CycleStep {
  TxnId from;
  ValueId key = ValueId::none();  ///< that grows; none(): real time says so
  ValueId before = ValueId::none();
  ValueId after = ValueId::none();
};

struct IncrementCycles {
  bool shows_something = false;                     ///< some operation shows a value
  std::size_t component_count = 0;                  ///< of operations that are before one another
  std::vector<std::vector<CycleStep>> cycles = {};  ///< a short one of each of the first components
};

/// Of committed operations, which read keys and their values in turn. At most `most` cycles.
/// O(n log n) for n keys in operations, and O(n) for each cycle.
[[nodiscard]] IncrementCycles find_increment_cycles(const History& history, std::size_t most);

}  // namespace elapid::monotonic
