// Makes a failing history small, for the tests: a TinyHistory, which they print as it is, by plain
// deletions that need no History to be right. Else see minimize.h.
#pragma once

#include <functional>

#include "harness/sketch/tiny_history.h"

namespace elapid {

/// A history of which no single transaction, operation or element read can be left out without
/// losing the failure. `fails(history)` must hold.
[[nodiscard]] TinyHistory shrink(TinyHistory history,
                                 const std::function<bool(const TinyHistory&)>& fails);

}  // namespace elapid
