// One check for each kind of evidence. Each answers with the first claim that does not follow from
// the operations. No check trusts an id or an index in the evidence.
#pragma once

#include <span>

#include "engine/certify/anomalies/index.h"
#include "engine/certify/flaw.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

// cycle.cc: every step, the links between them, and the class that Elle has (docs/elle-rules.md).
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const CycleEvidence& evidence);
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const CycleExistsEvidence& evidence);

// inferred_cycle.cc: the operations that the steps name, and the class that covers all
// cycles. A refutation among `levels` proves the steps; it is checked by itself
// (refutation.h).
[[nodiscard]] Flaw check_inferred(const Index& index, AnomalyType type,
                                  const CycleEvidence& evidence,
                                  std::span<const LevelAnswer> levels);
[[nodiscard]] Flaw check_inferred(const Index& index, AnomalyType type,
                                  const CycleExistsEvidence& evidence,
                                  std::span<const LevelAnswer> levels);

// reads.cc: G1a, G1b, garbage-read, future-read.
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const ReadEvidence& evidence);

// internal.cc
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const InternalEvidence& evidence);

// lists.cc: anomalies of lists.
[[nodiscard]] Flaw check(const Index& index, AnomalyType type,
                         const DuplicateElementsEvidence& evidence);
[[nodiscard]] Flaw check(const Index& index, AnomalyType type,
                         const IncompatibleOrderEvidence& evidence);
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const DirtyUpdateEvidence& evidence);

// lost_update.cc
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const LostUpdateEvidence& evidence);

// cyclic_versions.cc
[[nodiscard]] Flaw check(const Index& index, AnomalyType type,
                         const CyclicVersionsEvidence& evidence);

// certify.cc: the proof, for the levels in the history.
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const MixEvidence& evidence);

// timestamp_violation.cc
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const TimestampEvidence& evidence);

// certify.cc: these claim nothing about operations that could be verified.
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const NoOrderEvidence& evidence);
[[nodiscard]] Flaw check(const Index& index, AnomalyType type,
                         const SearchTimeoutEvidence& evidence);
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const EmptyGraphEvidence& evidence);
[[nodiscard]] Flaw check(const Index& index, AnomalyType type,
                         const PredicateMissEvidence& evidence);
[[nodiscard]] Flaw check(const Index& index, AnomalyType type, const RowsProofEvidence& evidence);

}  // namespace elapid::certify
