// Shorter predicates that select the same rows among those that a draft still has.
#pragma once

#include "harness/minimize/rewriting.h"

namespace elapid {

/// For each operation by a predicate, and each `and` and `or` in the predicate: the same without
/// one part, if the part distinguishes no two possible rows, i.e. no combination of values that
/// operations write to its columns or show in them. O(combinations) each. None if there are too
/// many combinations, or more than a few hundred operations.
[[nodiscard]] Rewritings with_simpler_predicates(const Draft& draft);

}  // namespace elapid
