// Evidence about a history with split-off reads (split_reads.h), converted to the history itself.
#pragma once

#include <vector>

#include "engine/ir/history.h"
#include "engine/solve/mix_visibility.h"
#include "engine/solve/split_reads.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The order of commits only, and the choices of reads.
[[nodiscard]] Witness commits_of(const SplitHistory& split, const Witness& witness);

/// Split-off reads become reads of their transactions. Drops those of indeterminate transactions,
/// which no single read refutes.
[[nodiscard]] std::vector<Anomaly> anomalies_of(const History& history, const SplitHistory& split,
                                                std::vector<Anomaly> anomalies);

/// In a cycle, a split-off read is between the version that it saw and its transaction, or an
/// overwriting one; the version precedes these. First come proofs of the visible orders in use.
[[nodiscard]] Refutation refutation_of(const History& history, const SplitHistory& split,
                                       const MixVisibility& visibility,
                                       const Refutation& refutation);

/// The proof of a refutation by a writer that is visible to a read of the initial state.
[[nodiscard]] Refutation refutation_by(const MixVisibility& visibility, const VisibleOrder& order);

}  // namespace elapid
