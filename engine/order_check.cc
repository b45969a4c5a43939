#include "engine/order_check.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/infer/cycle_classes.h"
#include "engine/saturate/saturate.h"
#include "engine/solve/cycle_steps.h"
#include "engine/solve/solve.h"

namespace elapid {

namespace {

/// The levels to decide: those demanded that an order of events defines, and such that others imply
/// that are demanded, but for those that another one of them implies.
std::vector<Model> strongest_order_levels(ModelSet demanded) {
  ModelSet models = demanded;
  for (std::size_t m = 0; m < kModelCount; ++m) {
    if (demanded.test(m) && !order_level(static_cast<Model>(m))) {
      models |= all_implied(ModelSet().set(m));
    }
  }
  std::vector<Model> strongest;
  for (std::size_t m = 0; m < kModelCount; ++m) {
    if (!models.test(m) || !order_level(static_cast<Model>(m))) {
      continue;
    }
    const ModelSet stronger = all_impossible(ModelSet().set(m)).reset(m) & models;
    bool is_implied = false;
    for (std::size_t s = 0; s < kModelCount; ++s) {
      is_implied = is_implied || (stronger.test(s) && order_level(static_cast<Model>(s)));
    }
    if (!is_implied) {
      strongest.push_back(static_cast<Model>(m));
    }
  }
  return strongest;
}

/// The anomaly that says that a model's graph has a cycle whatever is chosen. Prefix consistency
/// has none of its own; snapshot isolation implies it.
AnomalyType cycle_exists_in(Model model) {
  const Model named = model == Model::kPrefix ? Model::kPlSi : model;
  for (const ForbiddenGraph& graph : forbidden_graphs()) {
    if (graph.model == named) {
      return graph.type;
    }
  }
  return AnomalyType::kPl3CycleExists;
}

/// The transactions that a proof speaks of, in the order of the history.
std::vector<TxnId> transactions_of(const Refutation& refutation) {
  std::vector<TxnId> txns;
  for (const ProofStep& step : refutation.steps) {
    for (const OrderEdge& edge : step.cycle) {
      txns.insert(txns.end(), {edge.from, edge.to});
    }
  }
  std::sort(txns.begin(), txns.end());
  txns.erase(std::unique(txns.begin(), txns.end()), txns.end());
  return txns;
}

class OrderCheck {
 public:
  OrderCheck(const History& history, const CheckOptions& options)
      : history_(history), options_(options) {}

  OrderFindings run(const std::function<bool()>& progress) {
    for (const Model model : strongest_order_levels(options_.models)) {
      if (!progress()) {
        break;
      }
      const bool is_left_to_inference =  // which uses the assumptions
          order_level(model)->visibility == Visibility::kNothing &&
          options_.assumptions.order_something();
      if (is_left_to_inference) {
        continue;
      }
      SolveResult result = solve_level(model);
      LevelAnswer& answer = found_.levels.emplace_back(
          LevelAnswer{model, result.validity, std::move(result.witness), {}});
      const ModelSet only = ModelSet().set(static_cast<std::size_t>(model));
      if (result.validity == Validity::kValid) {
        found_.proven |= all_implied(only);
      } else if (result.validity == Validity::kInvalid) {
        found_.refuted |= all_impossible(only);
        adopt_violation(model, result);
        answer.refutation = std::move(result.refutation);
      } else if (options_.models.test(static_cast<std::size_t>(model))) {
        found_.undecided_because = std::move(result.unknown_because);
      }
    }
    return std::move(found_);
  }

 private:
  [[nodiscard]] SolveResult solve_level(Model model) {
    const OrderLevel level = *order_level(model);
    const SolveOptions how = {
        .data_model = options_.data_model,
        .level = level,
        .assumptions = options_.assumptions,
        .work = options_.budget.solver_work,
        .threads = options_.threads,
        .keep_going = [this] { return !options_.has_budget || options_.has_budget(); }};
    SolveResult result =
        is_saturable(level.visibility) ? saturate(history_, how) : solve(history_, how);
    const bool is_out_of_time = options_.has_budget && !options_.has_budget();
    if (result.is_out_of_budget) {
      result.unknown_because += " (" + (is_out_of_time ? options_.spent_budget : "--work") + ")";
    }
    return result;
  }

  void adopt_violation(Model model, SolveResult& result) {
    std::move(result.anomalies.begin(), result.anomalies.end(),
              std::back_inserter(found_.anomalies));
    if (!result.refutation) {
      return;
    }
    std::vector<ProvedChoice> proof;
    std::vector<std::vector<Step>> cycles;
    for (const ProofStep& step : result.refutation->steps) {
      proof.push_back({step.clause, steps_of(history_, options_.data_model, step.cycle)});
      if (!step.cycle.empty()) {
        cycles.push_back(proof.back().steps);
      }
    }
    if (!result.cycle.empty()) {
      const AnomalyType type = classify_any(cycles);
      std::vector<Step> steps = std::move(proof.back().steps);
      proof.pop_back();
      found_.anomalies.push_back({type, CycleEvidence{std::move(steps), std::move(proof), true}});
      return;
    }
    const AnomalyType type = cycle_exists_in(model);
    CycleExistsEvidence evidence = {.model = model == Model::kPrefix ? Model::kPlSi : model,
                                    .component = transactions_of(*result.refutation),
                                    .walk = {},
                                    .because = std::move(proof)};
    found_.anomalies.push_back({type, std::move(evidence)});
  }

  const History& history_;
  const CheckOptions& options_;
  OrderFindings found_;
};

}  // namespace

OrderFindings check_orders(const History& history, const CheckOptions& options,
                           const std::function<bool()>& progress) {
  return OrderCheck(history, options).run(progress);
}

}  // namespace elapid
