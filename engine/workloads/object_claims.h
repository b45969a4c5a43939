// Claims about histories of single operations on objects: that all operations have an order, or
// that some of them have none.
//
//   prove_objects(history, {}, claim)     valid: the claim is right; unknown: with its flaw
//
// Operations are decoded as for a judgement. Orders are carried out on plain objects, and cores
// are searched plainly (engine/linearize/object_claims.h).
#pragma once

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

}  // namespace elapid
