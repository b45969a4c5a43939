// The list of all kinds of evidence: one function describes each
// kind.
#pragma once

#include <span>

#include "engine/evidence/story.h"
#include "engine/verdict/evidence.h"

namespace elapid {

// cycles.cc
void tell(const CycleEvidence& evidence, Story& story);
void tell(const CycleExistsEvidence& evidence, Story& story);
/// The claims of a proof whose last clause is empty.
void tell_proof(std::span<const ProvedChoice> proof, Story& story);

// reads.cc
void tell(const ReadEvidence& evidence, Story& story);
void tell(const InternalEvidence& evidence, Story& story);
void tell(const DuplicateElementsEvidence& evidence, Story& story);
void tell(const IncompatibleOrderEvidence& evidence, Story& story);

// updates.cc
void tell(const DirtyUpdateEvidence& evidence, Story& story);
void tell(const LostUpdateEvidence& evidence, Story& story);
void tell(const CyclicVersionsEvidence& evidence, Story& story);

// searches.cc
void tell(const NoOrderEvidence& evidence, Story& story);
void tell(const SearchTimeoutEvidence& evidence, Story& story);
void tell(const EmptyGraphEvidence& evidence, Story& story);

// mixes.cc
void tell(const MixEvidence& evidence, Story& story);

// Rows (rows.cc).
void tell(const PredicateMissEvidence& evidence, Story& story);
void tell(const RowsProofEvidence& evidence, Story& story);

// timestamps.cc
void tell(const TimestampEvidence& evidence, Story& story);

/// The value in words: `3`, `[1 2]`, `a list that ends in [2]`; for a sentence with `as`.
[[nodiscard]] Phrase expectation(const ExpectedRead& expected);

}  // namespace elapid
