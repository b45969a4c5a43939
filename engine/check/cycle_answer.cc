#include "engine/check/engines.h"

#include <array>
#include <utility>

#include "engine/adya/adya.h"
#include "engine/check/proof_violations.h"
#include "engine/levels/cycle_levels.h"

namespace elapid {

namespace {

/// Cheap levels first; none before a level that it entails, if the two differ.
constexpr std::array kByCost = {Model::kPlCs,    Model::kUpdateAtomic, Model::kPl2L,
                                Model::kPl2Plus, Model::kPlMsr,        Model::kPl3U};

/// A model that entails the level, and whose graph has a cycle if the level is violated.
CyclicGraph graph_above(Model model) {
  return model == Model::kPl3U ? CyclicGraph{AnomalyType::kPl3CycleExists, Model::kPl3}
                               : CyclicGraph{AnomalyType::kPlSiCycleExists, Model::kPlSi};
}

class CycleCheck {
 public:
  CycleCheck(const History& history, const CheckOptions& options, const Question& question,
             const KnownModels& known, Work& work)
      : history_(history), options_(options), question_(question), work_(work) {
    found_.known = known;
  }

  Answer run() {
    for (const Model model : kByCost) {
      if (is_open(model) && is_wanted(model) && work_.progress("searching for forbidden cycles")) {
        decide(model);
      }
    }
    found_.engine = found_.levels.empty() || question_.each_asked ? "" : "cycles";
    return std::move(found_);
  }

 private:
  /// Whether the level is not decided, or is violated and its own proof is wanted: what the
  /// inference finds is none.
  [[nodiscard]] bool is_open(Model model) const {
    return !found_.known.is_decided(model) ||
           (options_.needs_order && found_.known.refuted().test(model));
  }

  /// Whether a demanded level that is open is equivalent. Parallel snapshot isolation is consistent
  /// view and read atomic together.
  [[nodiscard]] bool is_wanted(Model model) const {
    ModelSet served = entailed(model) & entailing(model);
    served.set(Model::kParallelSnapshotIsolation, model == Model::kPl2Plus);
    return (served & question_.demanded).filter([&](Model of) { return is_open(of); }).any();
  }

  void decide(Model model) {
    if (!work_.in_memory([&] { decide_in_memory(model); })) {
      found_.undecided.emplace_back(model, work_.spent_budget());
    }
  }

  void decide_in_memory(Model model) {
    if (work_.is_out_of_time()) {
      found_.undecided.emplace_back(
          model, "the budget was reached before this level's turn (" + options_.spent_budget + ")");
      return;
    }
    SolveResult result = decide_cycles(history_, *cycle_level(model),
                                       {.assumptions = options_.assumptions,
                                        .work = options_.budget.solver_work,
                                        .keep_going = [this] { return !work_.is_out_of_time(); }});
    if (result.validity == Validity::kUnknown) {
      found_.undecided.emplace_back(model, result.unknown_because + spent_budget(result));
      return;
    }
    if (result.validity == Validity::kValid) {
      found_.known.prove({model});
    } else {
      found_.known.refute({model});
      for (OrderViolation& violation :
           take_violations(history_, model, result, graph_above(model))) {
        found_.violations.push_back(std::move(violation));
      }
    }
    found_.levels.push_back({model,
                             result.validity,
                             std::move(result.witness),
                             std::move(result.refutation),
                             {},
                             result.violations});
  }

  /// Which of the budgets was reached, if one was.
  [[nodiscard]] std::string spent_budget(const SolveResult& result) const {
    return !result.is_out_of_budget ? "" : " (" + work_.reached() + ")";
  }

  const History& history_;
  const CheckOptions& options_;
  const Question& question_;
  Work& work_;
  Answer found_;
};

}  // namespace

Answer answer_by_cycles(const History& history, const CheckOptions& options,
                        const Question& question, const KnownModels& known, Work& work) {
  return CycleCheck(history, options, question, known, work).run();
}

}  // namespace elapid
