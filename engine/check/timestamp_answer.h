// Answers a question by timestamps: whether the order that the database's timestamps give satisfies
// the levels demanded.
#pragma once

#include <optional>

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"
#include "engine/ir/result.h"

namespace elapid {

/// Why timestamps cannot answer: anything that is not snapshot isolation or serializability is
/// demanded, or the history has no timestamps. Error: kUsage.
[[nodiscard]] std::optional<Error> refuse_timestamps(const History& history,
                                                     const CheckOptions& options);

/// A level that the order satisfies holds. One that it violates may hold all the same, by another
/// order. Violations that clocks may explain are shown and decide nothing.
[[nodiscard]] Answer answer_by_timestamps(const History& history, const CheckOptions& options,
                                          const Question& question, Work& work);

}  // namespace elapid
