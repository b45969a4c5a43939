// Re-checks a proof that no order of transactions on rows lets each operation find what it did.
#pragma once

#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid {

/// Why the proof shows nothing, in one sentence; nothing where it does. Each clause is justified
/// from the operations (what a transaction would have found), from an order that closes a cycle, or
/// by unit propagation from the clauses before it; the last one is empty. Trusts nothing in the
/// evidence. O(steps^2) in the worst case.
[[nodiscard]] std::optional<std::string> check_rows_proof(const History& history, AnomalyType type,
                                                          const RowsProofEvidence& evidence);

/// The class of the cycle that the proof comes to; nothing if it is not a single one.
[[nodiscard]] std::optional<AnomalyType> class_of_proof(const History& history,
                                                        const RowsProofEvidence& evidence);

}  // namespace elapid
