// Re-checks a proof that no order of transactions on rows explains the results of all operations.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid {

/// The reason why the proof is none, in one sentence; nothing if it is one. Each clause must follow
/// from the operations (a transaction would have found something else), from an order that closes a
/// cycle, or from earlier clauses by unit propagation. The last clause is empty. Trusts nothing in
/// the evidence. O(steps^2) in the worst case.
[[nodiscard]] std::optional<std::string> check_rows_proof(
    const History& history, AnomalyType type, const RowsProofEvidence& evidence,
    const std::function<bool()>& keep_going = {});

/// The class of the cycle in which the proof ends; nothing if that is not a single cycle.
[[nodiscard]] std::optional<AnomalyType> class_of_proof(const History& history,
                                                        const RowsProofEvidence& evidence);

}  // namespace elapid
