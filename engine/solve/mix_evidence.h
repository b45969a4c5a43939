// Evidence about a history whose reads were split off (split_reads.h), told of the history itself.
#pragma once

#include <vector>

#include "engine/ir/history.h"
#include "engine/solve/mix_visibility.h"
#include "engine/solve/split_reads.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The order of commits alone, and what reads chose.
[[nodiscard]] Witness commits_of(const SplitHistory& split, const Witness& witness);

/// Reads split off become reads of their transactions. Those of indeterminate transactions, which
/// no single read convicts, are left out.
[[nodiscard]] std::vector<Anomaly> anomalies_of(const History& history, const SplitHistory& split,
                                                std::vector<Anomaly> anomalies);

/// A read split off stands in a cycle between what it saw and its transaction, or an overwriting
/// one: then what it saw precedes these. In front stand the proofs of the visible orders in use.
[[nodiscard]] Refutation refutation_of(const History& history, const SplitHistory& split,
                                       const MixVisibility& visibility,
                                       const Refutation& refutation);

/// The proof that a writer is visible to a read of the initial state.
[[nodiscard]] Refutation refutation_by(const MixVisibility& visibility, const VisibleOrder& order);

}  // namespace elapid
