// Answers a question by timestamps: whether the order that the database's timestamps give satisfies
// the levels demanded.
#pragma once

#include <optional>

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"
#include "engine/ir/result.h"

namespace elapid {

/// The reason why timestamps cannot answer: a demanded model is neither snapshot isolation nor
/// serializability, or the history has no timestamps. Error: kUsage.
[[nodiscard]] std::optional<Error> refuse_timestamps(const History& history,
                                                     const CheckOptions& options);

/// A level that the order satisfies holds. A level that the order violates may still hold, by
/// another order. Violations that clocks may explain are shown and decide nothing.
[[nodiscard]] Answer answer_by_timestamps(const History& history, const CheckOptions& options,
                                          const Question& question, Work& work);

}  // namespace elapid
