// Histories that say the same in other words.
#pragma once

#include "harness/sketch/tiny_history.h"

namespace elapid {

[[nodiscard]] TinyHistory with_keys_renamed(const TinyHistory& history);

/// One to one and out of order, but for 0, which may be initial.
[[nodiscard]] TinyHistory with_values_renamed(const TinyHistory& history);

[[nodiscard]] TinyHistory with_sessions_renamed(const TinyHistory& history);

}  // namespace elapid
