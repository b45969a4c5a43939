#include "harness/compare/question.h"

#include <algorithm>
#include <array>

#include "engine/levels/workload_entailment.h"

namespace elapid {
namespace {

/// The forms of a level. A missing form repeats the form before it.
struct Forms {
  Model plain;
  Model sessions;
  Model real_time;
};

constexpr std::array kForms = {
    Forms{Model::kPl1, Model::kStrongSessionPl1, Model::kStrongPl1},
    Forms{Model::kPl2, Model::kStrongSessionPl2, Model::kStrongPl2},
    Forms{Model::kMonotonicAtomicView, Model::kRc, Model::kRc},
    Forms{Model::kReadAtomic, Model::kRa, Model::kRa},
    Forms{Model::kCausalCerone, Model::kCc, Model::kCc},
    Forms{Model::kPrefix, Model::kPc, Model::kPc},
    Forms{Model::kPlSi, Model::kStrongSessionSnapshotIsolation, Model::kStrongSnapshotIsolation},
    Forms{Model::kPl3, Model::kStrongSessionSerializable, Model::kPlSs},
};

/// The row of a level; null if it has no other forms.
const Forms* forms_of(Model model) {
  const auto row = std::ranges::find_if(kForms, [&](const Forms& forms) {
    return ask_the_same(forms.plain, model) || ask_the_same(forms.sessions, model) ||
           ask_the_same(forms.real_time, model);
  });
  return row == kForms.end() ? nullptr : &*row;
}

void add(Model model, std::vector<Model>& all) {
  if (std::ranges::find(all, model) == all.end()) {
    all.push_back(model);
  }
}

}  // namespace

Model with_sessions(Model model) {
  const Forms* forms = forms_of(model);
  return forms != nullptr && ask_the_same(forms->plain, model) ? forms->sessions : model;
}

Model without_sessions(Model model) {
  const Forms* forms = forms_of(model);
  return forms != nullptr && ask_the_same(forms->sessions, model) ? forms->plain : model;
}

Model decided_model(Model model, SessionOrder order) {
  return order == SessionOrder::kAlways  ? with_sessions(model)
         : order == SessionOrder::kNever ? without_sessions(model)
                                         : model;
}

bool ask_the_same(Model a, Model b, Workload workload) {
  return a == b || (entailed(a, workload).test(b) && entailed(b, workload).test(a));
}

bool are_forms_of_one(Model a, Model b) {
  const Forms* forms = forms_of(a);
  return ask_the_same(a, b) || (forms != nullptr && forms == forms_of(b));
}

const CheckerLevel* level_for(const Checker& checker, Model question, Workload workload) {
  const auto exact = std::ranges::find(checker.levels, question, &CheckerLevel::model);
  const auto found = exact != checker.levels.end()
                         ? exact
                         : std::ranges::find_if(checker.levels, [&](const CheckerLevel& level) {
                             return ask_the_same(level.model, question, workload);
                           });
  return found == checker.levels.end() ? nullptr : &*found;
}

bool can_ask(const Checker& checker, Model question) {
  return checker.engine.has_value() || level_for(checker, question) != nullptr;
}

std::vector<Model> questions(std::span<const Model> wanted,
                             std::span<const Checker* const> checkers) {
  std::vector<Model> all;
  for (const Model model : wanted) {
    add(model, all);
    for (const Checker* checker : checkers) {
      if (can_ask(*checker, model)) {
        continue;
      }
      for (const CheckerLevel& level : checker->levels) {
        if (are_forms_of_one(level.model, model)) {
          add(level.model, all);
        }
      }
    }
  }
  return all;
}

Needs needs_of(Model question) {
  if (const std::optional<OrderLevel> level = order_level(question)) {
    return {.sessions = level->sessions, .real_time = level->real_time};
  }
  const Forms* forms = forms_of(question);
  const bool is_plain = forms == nullptr || ask_the_same(forms->plain, question);
  const bool is_real_time = !is_plain && ask_the_same(forms->real_time, question) &&
                            !ask_the_same(forms->sessions, question);
  return {.sessions = !is_plain, .real_time = is_real_time};
}

}  // namespace elapid
