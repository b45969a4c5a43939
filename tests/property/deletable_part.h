// Whether a minimized history could be smaller still.
#pragma once

#include <string>

#include "engine/ir/history.h"
#include "harness/minimize/keeps.h"

namespace elapid {

/// What could have gone as well, of all parts that minimizing deletes; empty if nothing.
[[nodiscard]] std::string deletable_part(const History& history, const Keeps& keeps);

}  // namespace elapid
