// Makes a failing history small, for the tests: a TinyHistory, which they print as it is, by plain
// deletions that need no History to be right. Else see minimize.h.
#pragma once

#include <functional>

#include "harness/sketch/tiny_history.h"

namespace elapid {

/// A part of the history that still fails, but no longer without any single transaction, operation
/// or read element. `fails(history)` must hold.
[[nodiscard]] TinyHistory shrink(TinyHistory history,
                                 const std::function<bool(const TinyHistory&)>& fails);

}  // namespace elapid
