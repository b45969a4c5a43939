// Which assumptions bind the versions of a history.
//
//   registers   all of them
//   lists       sequential or linearizable keys only: lists show themselves which element an
//               append follows
#pragma once

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The assumptions that bind versions of the history.
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
