// The engines that answer a question, a function each. They do not know one another.
#pragma once

#include <optional>

#include "engine/check/answer.h"
#include "engine/check/question.h"
#include "engine/check/work.h"
#include "engine/ir/result.h"
#include "engine/levels/entailment.h"

namespace elapid {

/// Infers dependencies and, unless the options name another engine, searches for cycles. The found
/// anomalies rule models out. With total version orders all other models that can be inferred hold.
[[nodiscard]] Answer answer_by_inference(const History& history, const CheckOptions& options,
                                         const Question& question, Work& work);

/// By the solver, by saturation and by the search, for each level that an order of events defines.
/// Decides the strongest demanded models that an order of events defines; the others follow. If
/// each asked model is decided by itself: decides the models that `known` leaves open and an order
/// of events defines, until all demanded models are settled. For a ladder: the strongest of all,
/// the weak models, which cost little, then the strong ones. Otherwise: weak models, then strong
/// ones, the nearest first. Assumptions about keys bind the order. Asks `work` before each.
[[nodiscard]] Answer answer_by_orders(const History& history, const CheckOptions& options,
                                      const Question& question, const KnownModels& known,
                                      Work& work);

/// By the engine for forbidden cycles (engine/adya), for each level that a shape of cycles defines
/// (engine/levels/cycle_levels.h). Decides such levels if `known` leaves them open and they are
/// demanded or entail a demanded level. Cheap levels come first. Asks `work` before each.
[[nodiscard]] Answer answer_by_cycles(const History& history, const CheckOptions& options,
                                      const Question& question, const KnownModels& known,
                                      Work& work);

/// The reason why timestamps cannot answer: a demanded model is neither snapshot isolation nor
/// serializability, or the history has no timestamps. Error: kUsage.
[[nodiscard]] std::optional<Error> refuse_timestamps(const History& history,
                                                     const CheckOptions& options);

/// Whether the order that the database's timestamps give satisfies the demanded levels. A level
/// that the order satisfies holds. A level that the order violates may still hold, by another
/// order. Violations that clocks may explain are shown and decide nothing.
[[nodiscard]] Answer answer_by_timestamps(const History& history, const CheckOptions& options,
                                          const Question& question, Work& work);

/// The findings and inferences of Elle (engine/elle), quirks included. Proves nothing: Elle calls a
/// history valid if it finds no violation. If Elle would throw, `elle_error` has the exception.
[[nodiscard]] Answer answer_as_elle(const History& history, const CheckOptions& options,
                                    const Question& question, Work& work);

}  // namespace elapid
