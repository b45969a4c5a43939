// Changes that make a draft simpler without a deletion. Each is a candidate, and is kept if the
// property holds.
#pragma once

#include <functional>
#include <vector>

#include "harness/minimize/draft.h"

namespace elapid {

/// Makes one candidate from the draft that it was offered for. The draft must still exist.
using MakeRewritten = std::function<Draft()>;
using Rewritings = std::vector<MakeRewritten>;

/// For each indeterminate transaction, the simpler outcomes: committed, with a completion after
/// everything else, unless some read is unknown; or aborted.
[[nodiscard]] Rewritings with_outcomes(const Draft& draft);

/// Weaker session order: each transaction in a session of its own, or one of them.
[[nodiscard]] Rewritings with_less_session_order(const Draft& draft);

/// Weaker real time: none; or one transaction that begins as early, or ends as late, as its session
/// allows. Only drafts with less order than this one. They have no times, since times would
/// contradict the new order.
[[nodiscard]] Rewritings with_less_real_time(const Draft& draft);

/// Without times, but with the order of events; no candidate if only the times show the
/// order.
[[nodiscard]] Rewritings without_times(const Draft& draft);

/// Two sessions merged into one, if their transactions do not overlap.
[[nodiscard]] Rewritings with_merged_sessions(const Draft& draft);

// Small names. Names that are already small stay.

/// Integer keys 0, 1, ...; keywords :x, :y, :z, :a, ...; strings likewise.
[[nodiscard]] Draft with_small_keys(Draft draft);
/// Values 1, 2, ... by their place in the longest list read, then by the order of transactions. The
/// initial value and names of operations stay.
[[nodiscard]] Draft with_small_values(Draft draft);
/// Sessions 0, 1, ... in the order of their first events.
[[nodiscard]] Draft with_small_sessions(Draft draft);
/// Events numbered 0, 1, ..., and timestamps 1, 2, ... in their order, unless the timestamps have
/// both a logical and a physical part.
[[nodiscard]] Draft with_small_numbers(Draft draft);

}  // namespace elapid
