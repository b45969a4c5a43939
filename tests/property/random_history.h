// Small random histories: simulated databases of several strengths, then damaged.
#ifndef ELAPID_TESTS_PROPERTY_RANDOM_HISTORY_H_
#define ELAPID_TESTS_PROPERTY_RANDOM_HISTORY_H_

#include <cstdint>

#include "engine/check.h"
#include "tests/support/tiny_history.h"

namespace elapid {

/// The same history for the same seed, on every platform: 3 to 7 transactions on 1 to 3 keys, with
/// aborted, indeterminate and unfinished ones, overlapping in time. Most values are written once.
[[nodiscard]] TinyHistory random_history(DataModel model, std::uint64_t seed);

}  // namespace elapid

#endif  // ELAPID_TESTS_PROPERTY_RANDOM_HISTORY_H_
