// Shorter predicates that mean the same for the rows that a draft has left.
#pragma once

#include "harness/minimize/rewriting.h"

namespace elapid {

/// For each operation by a predicate, and each `and` and `or` in that: the same without one of its
/// parts, where that tells no row from another that can be: no combination of what operations
/// write to its columns or show of them. O(combinations) each; none where there are too many,
/// or more than a few hundred operations.
[[nodiscard]] Rewritings with_simpler_predicates(const Draft& draft);

}  // namespace elapid
