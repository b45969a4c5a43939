// The questions that checkers can be asked so that their answers are comparable.
//
// Two checkers that are asked about snapshot isolation may decide different levels: one always
// includes session order, another one never does. So each checker is asked about the level that it
// really decides. Verdicts are compared if both checkers were asked about the same level, or if one
// level follows from the other.
//
// ```cpp
// CHECK(decided_model(Model::kPlSi, SessionOrder::kAlways) ==
//       Model::kStrongSessionSnapshotIsolation);
// const Checker& own = builtin_checkers().front();  // decides every level
// const std::vector<const Checker*> checkers = {&own};
// const std::vector<Model> wanted = {Model::kPlSi};
// CHECK(questions(wanted, checkers) == wanted);
// ```
#pragma once

#include <span>
#include <vector>

#include "engine/ir/workload.h"
#include "engine/levels/models.h"
#include "harness/compare/checker.h"

namespace elapid {

/// The form of a level with session order, and the form without; the level itself if there is no
/// other form, or if it is that form already.
[[nodiscard]] Model with_sessions(Model model);
[[nodiscard]] Model without_sessions(Model model);

/// The level that a checker really decides when it calls its level `model`.
[[nodiscard]] Model decided_model(Model model, SessionOrder order);

/// Whether each level implies the other, in histories of the workload. For kOther, all operations
/// count as operations on items.
[[nodiscard]] bool ask_the_same(Model a, Model b, Workload workload = Workload::kOther);

/// Whether two levels are forms of one: without session order, with it, or with real time.
[[nodiscard]] bool are_forms_of_one(Model a, Model b);

/// The checker's level that answers the question; null if it has none. Elapid's own engines have no
/// list of levels: see can_ask().
[[nodiscard]] const CheckerLevel* level_for(const Checker& checker, Model question,
                                            Workload workload = Workload::kOther);

/// Whether the checker can answer the question.
[[nodiscard]] bool can_ask(const Checker& checker, Model question);

/// The levels to ask about: the wanted ones and, for each checker that does not decide a wanted
/// level, the form that it decides instead. Each once; forms of one level are neighbours.
[[nodiscard]] std::vector<Model> questions(std::span<const Model> wanted,
                                           std::span<const Checker* const> checkers);

/// A level to ask about, and whether a converted history still answers it. If a conversion lost or
/// invented sessions or real time, levels that need them cannot be asked.
struct Needs {
  bool sessions = false;
  bool real_time = false;
};

[[nodiscard]] Needs needs_of(Model question);

}  // namespace elapid
