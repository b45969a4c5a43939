// Small random histories: simulated databases of several strengths, then damaged.
#pragma once

#include <cstdint>

#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {

enum class Variety : std::uint8_t {
  kDistinct,   ///< 3 to 7 transactions on 1 to 3 keys; most values are written once
  kRepeating,  ///< 2 to 7 transactions; registers repeat few values, 0 among them; some lists have
               ///< elements appended more than once
  kLarge,      ///< 10 to 40 transactions on 2 to 6 keys; else as kRepeating
  kCorners,    ///< 2 to 5 transactions on 1 or 2 keys, which often read their own writes, or a key
               ///< twice; invocations differ from completions, or have no operations
};

/// The same history for the same seed, on every platform: with aborted, indeterminate and
/// unfinished transactions, overlapping in time.
[[nodiscard]] TinyHistory random_history(Workload model, std::uint64_t seed,
                                         Variety variety = Variety::kDistinct);

}  // namespace elapid
