// Changes that make a draft simpler without a deletion. Each is a candidate like others, and is
// kept if the property holds.
#pragma once

#include <functional>
#include <vector>

#include "harness/minimize/draft.h"

namespace elapid {

/// Makes one candidate of the draft that it was offered for, which must still be there.
using MakeRewritten = std::function<Draft()>;
using Rewritings = std::vector<MakeRewritten>;

/// For each indeterminate transaction the outcomes that would be simpler: committed, completed
/// after everything else, unless some read of it is unknown; or aborted.
[[nodiscard]] Rewritings with_outcomes(const Draft& draft);

/// Less of session order: every transaction a session of its own; else one of them.
[[nodiscard]] Rewritings with_less_session_order(const Draft& draft);

/// Less of real time: none; else one transaction that began as early, or ended as late, as its
/// session allows. Only drafts that say less than this one, without times, since these would
/// contradict the new order.
[[nodiscard]] Rewritings with_less_real_time(const Draft& draft);

/// Without the times of events, whose order is all that is left; nothing where the order is known
/// by the times alone.
[[nodiscard]] Rewritings without_times(const Draft& draft);

/// Two sessions in one, where their transactions do not overlap.
[[nodiscard]] Rewritings with_merged_sessions(const Draft& draft);

// Small names. What is small already stays as it is.

/// Integer keys 0, 1, ...; keywords :x, :y, :z, :a, ...; strings likewise.
[[nodiscard]] Draft with_small_keys(Draft draft);
/// Values 1, 2, ... by their place in the longest list read, then in the order of transactions. The
/// initial value stays, and so do names of operations.
[[nodiscard]] Draft with_small_values(Draft draft);
/// Sessions 0, 1, ... in the order of their first events.
[[nodiscard]] Draft with_small_sessions(Draft draft);
/// Events numbered 0, 1, ..., and timestamps 1, 2, ... in their order, unless they tell a logical
/// clock from a physical one.
[[nodiscard]] Draft with_small_numbers(Draft draft);

}  // namespace elapid
