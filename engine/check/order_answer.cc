#include "engine/check/engines.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "engine/adya/adya.h"
#include "engine/check/proof_violations.h"
#include "engine/check/unknown_reasons.h"
#include "engine/infer/cycle_classes.h"
#include "engine/levels/cycle_levels.h"
#include "engine/levels/ladder.h"
#include "engine/saturate/saturate.h"
#include "engine/search/search.h"
#include "engine/solve/solve.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

namespace {

bool has_order(Model model) {
  return order_level(model).has_value();
}

/// The levels to decide. They are demanded, or entailed by a demanded level that no order of events
/// defines. A level that another one of them entails is left out.
ModelSet strongest_order_levels(ModelSet demanded) {
  ModelSet models;
  for (const Model model : demanded) {
    models |= order_level(model) ? ModelSet{model} : entailed(model);
  }
  return strongest_of(models.filter(has_order));
}

/// The models that an order of events defines, cheap ones first. The strongest comes first, since
/// it may settle everything. Then weak ones, then strong ones, stronger ones first.
std::vector<Model> by_cost(ModelSet models) {
  const ModelSet ordered = models.filter(has_order);
  std::vector<Model> order(ordered.begin(), ordered.end());
  const auto strength = [](Model model) {
    return std::pair(entailed(model).count(), proscribed_directly(model).any());
  };
  std::ranges::stable_sort(order, std::greater<>(), strength);
  if (order.size() > 1) {
    std::stable_partition(order.begin() + 1, order.end(),
                          [](Model model) { return is_saturable(order_level(model)->visibility); });
  }
  return order;
}

/// The graph whose cycles violate the model. Prefix consistency and the weak levels have none:
/// theirs is that of a stronger model.
const ForbiddenGraph& forbidden_graph(Model model) {
  OrderLevel level = *order_level(model);
  if (level.visibility != Visibility::kSerial && level.visibility != Visibility::kNothing) {
    level.visibility = Visibility::kSnapshot;
  }
  const auto asks_for = [&](const ForbiddenGraph& graph) { return graph.model == model; };
  const auto asks_the_same = [&](const ForbiddenGraph& graph) {
    return graph.model != Model::kPl299 && order_level(graph.model) == level;
  };
  const std::span<const ForbiddenGraph> graphs = forbidden_graphs();
  const auto own = std::ranges::find_if(graphs, asks_for);
  return own != graphs.end() ? *own : *std::ranges::find_if(graphs, asks_the_same);
}

/// The work on a refutation of a weaker level for each operation, as SolveOptions::work.
constexpr std::uint64_t kWorkOfWeaker = 200;

/// Whether the choice is about another than the first read of a key in its transaction, which
/// proofs about orders do not tell apart.
bool names_later_read(const Choice& choice) {
  return choice.kind == Choice::Kind::kReads && choice.length > 0;
}

/// By causality, else by cycles with one anti-dependency, whose search makes choices only where
/// such cycles are.
std::optional<Refutation> refute_consistent_view(const History& history,
                                                 const SolveOptions& options) {
  if (auto refutation = refute_causality(history, options)) {
    return refutation;
  }
  SolveOptions how = options;
  how.work = std::min(options.work, kWorkOfWeaker * history.op_count());
  SolveResult found = decide_cycles(history, *cycle_level(Model::kPl2Plus), how);
  if (found.refutation && found.ends_with_cycle && found.violations > 1) {
    found.refutation->steps.resize(1);  // each cycle is a proof of its own
  }
  const bool is_of_orders =
      found.ends_with_cycle &&
      std::ranges::none_of(found.refutation->steps, [](const ProofStep& step) {
        return std::ranges::any_of(step.clause, names_later_read);
      });
  return is_of_orders ? std::move(found.refutation) : std::nullopt;
}

/// The engine that decided the levels; empty if no level was decided.
std::string engine_of(Engine asked, std::span<const LevelAnswer> levels) {
  const bool are_all_saturated = std::ranges::all_of(levels, [](const LevelAnswer& level) {
    return is_saturable(order_level(level.model)->visibility);
  });
  return levels.empty()             ? ""
         : asked == Engine::kSearch ? "search"
         : are_all_saturated        ? "saturation"
                                    : "solver";
}

/// The models that an order of events defines, for the sake of the demanded ones. Weak models come
/// first, which may refute the demanded ones. Strong ones follow, the nearest first, which may
/// prove them. Models that neither entail a demanded one nor are entailed by one come last, those
/// first whose refutation may be a cycle that consistent view forbids.
std::vector<Model> by_distance(ModelSet models, ModelSet demanded) {
  std::vector<Model> order = by_cost(models);
  const auto first_strong = std::ranges::stable_partition(
      order, [](Model model) { return is_saturable(order_level(model)->visibility); });
  std::ranges::stable_sort(first_strong, {}, [](Model model) { return entailed(model).count(); });
  const auto first_unrelated = std::ranges::stable_partition(
      order, [&](Model model) { return ((entailed(model) | entailing(model)) & demanded).any(); });
  std::ranges::stable_partition(first_unrelated,
                                [](Model model) { return entailed(model).test(Model::kPl2Plus); });
  return order;
}

class OrderCheck {
 public:
  OrderCheck(const History& history, const CheckOptions& options, const Question& question,
             const KnownModels& known, Work& work)
      : history_(history),
        options_(options),
        question_(question),
        work_(work),
        saturator_(history) {
    found_.known = known;
  }

  Answer run() {
    if (question_.each_asked) {
      decide_each(question_.asked);
    } else {
      decide_strongest(question_.demanded);
    }
    found_.engine = engine_of(options_.engine, found_.levels);
    return std::move(found_);
  }

 private:
  void decide_strongest(ModelSet demanded) {
    for (const Model model : strongest_order_levels(demanded)) {
      decide(model);
    }
  }

  void decide_each(ModelSet models) {
    std::vector<Model> untimed =
        question_.wants_ladder ? by_cost(models) : by_distance(models, question_.demanded);
    std::vector<Model> timed;
    if (!history_.info().has_real_time) {
      const auto first_timed = std::ranges::stable_partition(
          untimed, [](Model model) { return !order_level(model)->real_time; });
      timed.assign(first_timed.begin(), first_timed.end());
      untimed.erase(first_timed.begin(), first_timed.end());
    }
    for (const Model model : untimed) {
      if ((question_.demanded & ~found_.known.decided()).none()) {
        break;
      }
      if (!found_.known.is_decided(model)) {
        decide(model);
      }
    }
    for (const Model model : timed) {  // real time may violate levels that hold without it
      found_.undecided.emplace_back(model, kNeedsRealTime);
    }
  }

  /// If memory runs out, earlier decisions stay.
  void decide(Model model) {
    if (!work_.in_memory([&] { decide_in_memory(model); })) {
      found_.undecided.emplace_back(model, work_.spent_budget());
    }
  }

  void decide_in_memory(Model model) {
    if (is_stopped_ || is_left_to_others(model)) {
      return;
    }
    is_stopped_ = !work_.progress("searching for an order");
    if (is_stopped_) {
      return;
    }
    if (work_.is_out_of_time()) {
      found_.undecided.emplace_back(
          model, "the budget was reached before this level's turn (" + work_.reached() + ")");
      return;
    }
    if (options_.engine == Engine::kSearch) {
      adopt_search(model);
    } else {
      adopt_solution(model);
    }
  }

  /// Whether only the inference uses the assumptions. Without them the model may be refuted.
  [[nodiscard]] bool knows_no_assumptions(Model model) const {
    return order_level(model)->visibility == Visibility::kNothing &&
           bind_versions(options_.assumptions, history_);
  }

  /// Whether an engine other than the one asked for decides the model.
  [[nodiscard]] bool is_left_to_others(Model model) const {
    const Visibility visibility = order_level(model)->visibility;
    const bool needs_search =
        options_.engine == Engine::kSolver || options_.engine == Engine::kSearch;
    return (needs_search && is_saturable(visibility)) ||
           (options_.engine == Engine::kSaturation && !is_saturable(visibility));
  }

  void adopt_solution(Model model) {
    SolveResult result = solve_level(model);
    if (knows_no_assumptions(model) && result.validity != Validity::kInvalid) {
      return;  // the inference decides
    }
    // If the level was decided, the missing reachability does not matter.
    if (result.lacks_reachability && result.validity == Validity::kUnknown) {
      found_.warnings.push_back(std::string(friendly_name(model)) +
                                ": reachability of all events would take too much memory; the "
                                "search did without, which is slower");
    }
    LevelAnswer& answer = found_.levels.emplace_back(
        LevelAnswer{model, result.validity, std::move(result.witness), {}, {}});
    adopt_validity(model, result.validity, std::move(result.unknown_because));
    if (result.validity == Validity::kInvalid) {
      const ForbiddenGraph& graph = forbidden_graph(model);
      for (OrderViolation& violation :
           take_violations(history_, model, result, {graph.type, graph.model})) {
        found_.violations.push_back(std::move(violation));
      }
      answer.violations = result.violations;
      answer.refutation = std::move(result.refutation);
    }
  }

  void adopt_search(Model model) {
    const Assumptions assumed = of_versions(options_.assumptions, history_);
    if (assumed.sequential_keys || assumed.linearizable_keys ||
        !assumed.transaction_order.empty()) {
      found_.undecided.emplace_back(
          model, "the search does not support assumptions about the order of versions");
      return;
    }
    SearchResult result =
        search_orders(history_, {.level = *order_level(model),
                                 .work = options_.budget.solver_work,
                                 .keep_going = [this] { return !work_.is_out_of_time(); }});
    if (result.is_out_of_budget && !result.is_full) {
      result.unknown_because += " (" + work_.reached() + ")";
    }
    adopt_validity(model, result.validity, std::move(result.unknown_because));
    if (result.failure) {
      const ForbiddenGraph& graph = forbidden_graph(model);
      found_.violations.push_back(
          {model, {graph.type, NoOrderEvidence{graph.model, *result.failure}}});
    }
    found_.levels.push_back(
        {model, result.validity, std::move(result.witness), {}, std::move(result.failure)});
  }

  void adopt_validity(Model model, Validity validity, std::string unknown_because) {
    const ModelSet only = ModelSet{model};
    if (validity == Validity::kValid) {
      found_.known.prove(only);
    } else if (validity == Validity::kInvalid) {
      found_.known.refute(only);
    } else {
      found_.undecided.emplace_back(model, std::move(unknown_because));
    }
  }

  [[nodiscard]] SolveResult solve_level(Model model) {
    const OrderLevel level = *order_level(model);
    SolveOptions how = {.level = level,
                        .assumptions = options_.assumptions,
                        .work = options_.budget.solver_work,
                        .threads = options_.threads,
                        .reachability = options_.budget.reachability,
                        .minimal = options_.minimal_proofs,
                        .keep_going = [this] { return !work_.is_out_of_time(); }};
    if (options_.engine == Engine::kAuto) {
      how.refute_weaker =
          entailed(model).test(Model::kPl2Plus) ? refute_consistent_view : refute_causality;
    }
    if (!is_saturable(level.visibility)) {
      saturator_.forget();
    }
    SolveResult result =
        is_saturable(level.visibility) ? saturator_.decide(how) : solve(history_, how);
    if (result.is_out_of_budget) {
      result.unknown_because += " (" + work_.reached() + ")";
    }
    return result;
  }

  const History& history_;
  const CheckOptions& options_;
  const Question& question_;
  Work& work_;
  Saturator saturator_;
  bool is_stopped_ = false;
  Answer found_;
};

}  // namespace

Answer answer_by_orders(const History& history, const CheckOptions& options,
                        const Question& question, const KnownModels& known, Work& work) {
  return OrderCheck(history, options, question, known, work).run();
}

}  // namespace elapid
