// From judgements of types (types/judgement.h) to verdicts, and the checks of their histories.
//
//   kRemovedTwice at {3, 5}     T1 and T2 remove the same value, which was added once: not
//                               linearizable!
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/linearize/object_verdict.h"
#include "engine/linearize/types/judgement.h"

namespace elapid::linearize {

/// The object's answer, with the reason of the judgement as a description.
[[nodiscard]] ObjectAnswer answer_of(const History& history, const Object& object,
                                     Judgement judgement);

/// The work limit of an engine of a type: the default, or less if the request allows less.
[[nodiscard]] std::uint64_t work_of(const JudgeRequest& request);

/// An error if a transaction is not of the type: `is_known` is false for it. `expected`: as
/// ":acquire and :release of mutex".
[[nodiscard]] std::optional<Error> refuse_foreign(
    const History& history, const std::function<bool(std::span<const Op>)>& is_known,
    const std::string& expected);

/// An error if `wrong` returns a value for a transaction: one that the type does not take.
/// `expected`: as "an integer as the value of :poll".
[[nodiscard]] std::optional<Error> refuse_value(
    const History& history, const std::function<std::optional<ValueId>(TxnId)>& wrong,
    const std::string& expected);

}  // namespace elapid::linearize
