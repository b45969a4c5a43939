// Which questions checkers can be asked so that their answers can be compared.
//
// Two checkers that are both asked about snapshot isolation need not be asked the same: one always
// takes the order of sessions into account, another never does. So each is asked about what it
// really decides, and verdicts are compared where both were asked about the same level, or where
// one follows from the other.
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

/// The form of a level that takes the order of sessions into account, and the form that does not;
/// the level itself where there is no such form, or where it is one.
[[nodiscard]] Model with_sessions(Model model);
[[nodiscard]] Model without_sessions(Model model);

/// What a checker decides that calls its level by the name of `model`.
[[nodiscard]] Model decided_model(Model model, SessionOrder order);

/// Whether each level follows from the other, in histories of the workload. Of kOther all
/// operations count as being on items.
[[nodiscard]] bool ask_the_same(Model a, Model b, Workload workload = Workload::kOther);

/// Whether two levels are forms of one: without the order of sessions, with it, with real time.
[[nodiscard]] bool are_forms_of_one(Model a, Model b);

/// The level of a checker that answers the question; null if it has none. Engines of Elapid's own
/// have no list of levels: see can_ask().
[[nodiscard]] const CheckerLevel* level_for(const Checker& checker, Model question,
                                            Workload workload = Workload::kOther);

/// Whether there is any sense in asking the checker.
[[nodiscard]] bool can_ask(const Checker& checker, Model question);

/// The levels that are asked about: those wanted, and for each checker that does not decide one of
/// them the form that it decides instead. Each once, forms of one level together.
[[nodiscard]] std::vector<Model> questions(std::span<const Model> wanted,
                                           std::span<const Checker* const> checkers);

/// A level that is asked about, and whether what was written for a checker still tells. Levels that
/// need sessions or real time cannot be asked where a conversion has lost or made up these.
struct Needs {
  bool sessions = false;
  bool real_time = false;
};

[[nodiscard]] Needs needs_of(Model question);

}  // namespace elapid
