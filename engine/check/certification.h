// Checks the evidence of a verdict again, before the verdict is returned.
#pragma once

#include <optional>

#include "engine/check/check.h"
#include "engine/check/verdict_of.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/entailment.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Error: kInternal if two engines contradict each other about `known`, or if evidence fails
/// certification (engine/certify), shown or not. With elle_compat, failed evidence becomes a
/// warning of the verdict instead. If CheckOptions::may_certify returns false before the end, the
/// verdict becomes unknown.
[[nodiscard]] std::optional<Error> certify_verdict(const History& history,
                                                   const CheckOptions& options,
                                                   const KnownModels& known,
                                                   const UnshownEvidence& unshown,
                                                   Verdict& verdict);

}  // namespace elapid
