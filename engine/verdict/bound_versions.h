// Which assumptions bind the versions of a history.
//
//   registers   all of them
//   lists       that each key is sequential, or linearizable: what an append follows they show
//               themselves
#pragma once

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Those that bind versions of the history.
[[nodiscard]] inline Assumptions of_versions(const Assumptions& assumptions,
                                             const History& history) {
  return history.has_lists() ? Assumptions{.sequential_keys = assumptions.sequential_keys,
                                           .linearizable_keys = assumptions.linearizable_keys}
                             : assumptions;
}

[[nodiscard]] inline bool bind_versions(const Assumptions& assumptions, const History& history) {
  return of_versions(assumptions, history).order_something();
}

}  // namespace elapid
