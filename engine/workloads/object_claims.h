// Claims about histories of single operations on objects: that all operations have an order, or
// that some of them have none.
//
//   prove_objects(history, {}, claim)     valid: the claim is right; unknown: with its flaw
//
// Operations are decoded as for a judgement. Orders are carried out on plain objects, and cores
// are searched plainly (engine/linearize/object_claims.h).
#pragma once

#include <optional>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Whether a claim about the model, for the workload's histories, is a claim about objects.
[[nodiscard]] bool has_object_claims(Workload workload, Model model);

/// Requires has_object_claims(). Unknown, with the flaw, if the claim's witness or failure does not
/// prove its validity. Errors: those of a judgement.
[[nodiscard]] Result<Verdict> prove_objects(const History& history, const JudgeRequest& request,
                                            const LevelAnswer& claim);

/// Operations on objects as transactions on registers, which the engines of transactions know.
/// Transactions, keys, values and operations have the same numbers. Of linearizability the
/// counterpart is strict serializability, of sequential consistency strong session serializability.
struct RegisterTransactions {
  /// Has the level if the operations have theirs: what a proof of the contrary is about.
  History necessary;
  /// Has the level only if the operations have theirs; absent: as `necessary`.
  std::optional<History> sufficient = {};
};

/// Whether operations on the workload's objects are such transactions.
[[nodiscard]] bool has_register_transactions(Workload workload);

/// The level of transactions that is the counterpart of one of operations.
[[nodiscard]] Model level_of_transactions(Model of_operations);

/// For a level of operations. Requires has_register_transactions(). Error: why there are none.
[[nodiscard]] Result<RegisterTransactions> register_transactions(const History& history,
                                                                 Model model);

}  // namespace elapid
