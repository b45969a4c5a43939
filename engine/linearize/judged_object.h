// What judgements of types (types/judgement.h) are to a verdict, and what they need of a history.
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

/// The judgement with its reason as a description.
[[nodiscard]] ObjectAnswer answer_of(const History& history, const Object& object,
                                     Judgement judgement);

/// The work that an engine of a type may do where the request allows so much.
[[nodiscard]] std::uint64_t work_of(const JudgeRequest& request);

/// An error if a transaction is not of the type: one for which `is_known` does not hold. `expected`
/// as ":acquire and :release of mutex".
[[nodiscard]] std::optional<Error> refuse_foreign(
    const History& history, const std::function<bool(std::span<const Op>)>& is_known,
    const std::string& expected);

/// An error if a transaction has a value that the type does not take, which `wrong` returns.
/// `expected` as "an integer as the value of :poll".
[[nodiscard]] std::optional<Error> refuse_value(
    const History& history, const std::function<std::optional<ValueId>(TxnId)>& wrong,
    const std::string& expected);

}  // namespace elapid::linearize
