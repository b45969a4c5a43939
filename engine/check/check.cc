#include "engine/check/check.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <string>
#include <utility>

#include "engine/check/certification.h"
#include "engine/check/elle_check.h"
#include "engine/check/order_check.h"
#include "engine/check/questions.h"
#include "engine/check/timestamp_check.h"
#include "engine/check/unknown_reasons.h"
#include "engine/infer/cycles.h"
#include "engine/levels/entailment.h"
#include "engine/levels/ladder.h"
#include "engine/solve/footprints.h"
#include "engine/workloads/table.h"

namespace elapid {

namespace {

Error interrupted() {
  return {.kind = ErrorKind::kUsage, .message = "interrupted"};
}

/// What is left to say.
Verdict out_of_memory(const CheckOptions& options, std::string engine, std::string_view stage) {
  return {.validity = Validity::kUnknown,
          .checked = options.models,
          .unknown_because = "memory ran out while " + std::string(stage) +
                             ": the system gave no more, and no " +
                             std::string(options.words.memory) + " was reached before",
          .engine = std::move(engine),
          .assumptions = options.assumptions};
}

/// The model of which the anomaly says no more than that its graph has a cycle, if it is such.
std::optional<Model> model_without_order(const Anomaly& anomaly) {
  if (const auto* cycle = std::get_if<CycleExistsEvidence>(&anomaly.evidence)) {
    return cycle->model;
  }
  const auto* searched = std::get_if<NoOrderEvidence>(&anomaly.evidence);
  return searched != nullptr ? std::optional(searched->model) : std::nullopt;
}

/// The anomalies worth showing: prohibited ones and what makes a verdict unknown, but no bare
/// existence of a cycle in a model's graph where something else shown already rules the model out.
void keep_reportable(std::vector<Anomaly>& anomalies, AnomalySet prohibited) {
  prohibited.set(AnomalyType::kEmptyTransactionGraph).set(AnomalyType::kCycleSearchTimeout);
  std::erase_if(anomalies, [&](const Anomaly& anomaly) { return !prohibited.test(anomaly.type); });
  const AnomalySet shown = types_of(anomalies);
  std::erase_if(anomalies, [&](const Anomaly& anomaly) {
    const std::optional<Model> model = model_without_order(anomaly);
    if (!model) {
      return false;
    }
    AnomalySet others = shown;
    others.reset(anomaly.type);
    return impossible_models(others).test(*model);
  });
}

/// What a check asks: what is demanded, or the whole ladder, of which what is demanded is a part.
enum class Scope : std::uint8_t { kDemanded, kLadder };

/// Whether an order of events defines the model, so that an engine decides it by itself.
bool has_engine(Model model) {
  return order_level(model).has_value();
}

class Check {
 public:
  Check(const History& history, const CheckOptions& options, Scope scope)
      : history_(history),
        options_(options),
        scope_(options.each_model ? Scope::kLadder : scope),
        asked_(scope == Scope::kLadder ? ModelSet::all() : options.models),
        prohibited_(prohibited(entailed(options.models), options.anomalies)),
        searched_(prohibited_ | prohibited(asked_, {})),
        orders_(orders_needed(searched_)) {
    verdict_.assumptions = options.assumptions;
    verdict_.checked = options.models;
  }

  Result<Verdict> run() {
    try {
      return run_stages();
    } catch (const std::bad_alloc&) {
      return out_of_memory(options_, engine_at_work_, stage_);
    }
  }

 private:
  Result<Verdict> run_stages() {
    if (const auto refusal = refuse_unchecked(options_)) {
      return *refusal;
    }
    if (options_.assumptions.linearizable_keys && !history_.info().has_real_time) {
      return needs_real_time(options_);
    }
    if (nothing_committed() && (history_.txn_count() == 0 || !needs_no_inference())) {
      return says_nothing();
    }
    lacks_real_time_ = orders_.realtime && !history_.info().has_real_time;
    orders_.realtime = orders_.realtime && !lacks_real_time_;
    const bool is_understood = needs_no_inference() || infer_violations();
    const bool has_engines = demands_only(has_engine);
    if (!stopped_ && is_understood && needs_solver() && (has_engines || !may_ask_ladder()) &&
        has_budget()) {
      search_orders();
    }
    if (stopped_) {
      return interrupted();
    }
    if (is_understood && may_ask_ladder() && !is_violated() && is_open() && has_budget()) {
      return Check(history_, options_, Scope::kLadder).run_stages();
    }
    leave_open_what_is_spent();
    decide();
    if (!options_.certify) {
      return std::move(verdict_);
    }
    if (!progress("certifying evidence")) {
      return interrupted();
    }
    if (auto error = certify_verdict(history_, options_, known_, verdict_)) {
      return *error;
    }
    return std::move(verdict_);
  }

  /// Whether what stays open may be asked again as a part of the ladder: other levels than those
  /// demanded may settle it. So a level has one answer, demanded alone or with all others.
  [[nodiscard]] bool may_ask_ladder() const {
    return scope_ == Scope::kDemanded && options_.engine == Engine::kAuto;
  }

  /// Whether a model demanded is undecided.
  [[nodiscard]] bool is_open() const { return (options_.models & ~known_.decided()).any(); }

  /// Of what nobody is known to have done there is no order to find and no violation.
  /// But for levels of registers that only ask what was visible: none of it was, and they hold.
  Verdict says_nothing() {
    const ModelSet holding = history_.txn_count() > 0 && has_only_registers()
                                 ? entailed(weak_levels()) & options_.models
                                 : ModelSet();
    for (const Model model : holding.filter(has_engine)) {
      verdict_.levels.push_back({model, Validity::kValid, Witness{}, {}, {}});
    }
    known_.prove(holding);
    verdict_.complete = options_.models.any() && holding == options_.models;
    if (verdict_.complete) {
      return std::move(verdict_);
    }
    verdict_.anomalies.push_back({AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}});
    verdict_.validity = Validity::kUnknown;
    explain_unknown();
    if (options_.each_model && history_.txn_count() > 0) {
      for (const Model model : ModelSet::all()) {
        undecided_.emplace_back(model, *verdict_.unknown_because);
      }
      verdict_.ladder = ladder_of(options_.models, known_, undecided_);
    }
    return std::move(verdict_);
  }

  /// Whether the budget allows to go on. Once it does not, nothing else begins: what was found is
  /// decided, certified and told.
  bool has_budget() {
    if (spent_at_.empty() && options_.has_budget && !options_.has_budget()) {
      spent_at_ = stage_;
    }
    return spent_at_.empty();
  }

  [[nodiscard]] std::string spent_budget() const {
    return "the budget was reached while " + std::string(spent_at_) + " (" + options_.spent_budget +
           ")";
  }

  void leave_open_what_is_spent() {
    if (scope_ == Scope::kLadder && is_open()) {
      has_budget();  // or else some level has not had its turn
    }
    for (const Model model : spent_at_.empty() ? ModelSet() : asked_ & ~known_.decided()) {
      undecided_.emplace_back(model, spent_budget());
    }
  }

  bool progress(std::string_view stage) {
    stage_ = stage;
    stopped_ = stopped_ || (options_.progress && !options_.progress(stage));
    return !stopped_;
  }

  /// Whether what is demanded is decided by what is visible alone: registers at weak levels, but
  /// for those that say nothing of reads after own writes unless these show what nobody committed.
  [[nodiscard]] bool needs_no_inference() const {
    if (history_.has_lists() || options_.models.none() || options_.anomalies.any() ||
        options_.engine == Engine::kElle) {
      return false;
    }
    return (options_.models & ~weak_levels()).none() && has_only_registers();
  }

  /// Those decided by what is visible alone, which say something of reads after own writes.
  [[nodiscard]] static ModelSet weak_levels() {
    return ModelSet::all().filter([](Model model) {
      const auto level = order_level(model);
      return level && is_saturable(level->visibility) && reads_own_writes(*level);
    });
  }

  [[nodiscard]] bool has_only_registers() const {
    return !history_.has_lists() && std::ranges::all_of(history_.all_ops(), [](Op op) {
      return op.kind() == OpKind::kRead || op.kind() == OpKind::kWrite;
    });
  }

  /// False if there are operations of another workload.
  bool infer_violations() {
    if (!progress("inferring dependencies")) {
      return false;
    }
    Inference inference = infer();
    verdict_.elle_error = inference.elle_error;
    verdict_.anomalies = std::move(inference.anomalies);
    version_orders_total_ = inference.version_orders_total ||
                            (inference.version_orders_serial && demands_serial_levels());
    const bool is_enough = is_asked_for_order();  // what single reads show
    if (inference.explainer != nullptr && !is_enough && progress("searching for cycles") &&
        has_budget()) {
      find_cycles(inference);
      learn_from(inference);
    }
    return !inference.has_foreign_operations;
  }

  /// What was found rules models out. With total version orders all others that can be inferred
  /// hold; of registers some order of versions always spares PL-1.
  void learn_from(const Inference& inference) {
    const AnomalySet found = types_of(verdict_.anomalies);
    known_.refute(impossible_models(found));
    const bool is_whole =
        !inference.elle_error && !found.test(AnomalyType::kCycleSearchTimeout) && spent_at_.empty();
    for (const Model model : is_whole ? asked_ & ~known_.decided() : ModelSet()) {
      if (is_settled(model, inference)) {
        known_.prove({model});
      }
    }
  }

  /// Whether the inference would have refuted the model if it did not hold.
  [[nodiscard]] bool is_settled(Model model, const Inference& inference) const {
    const std::optional<OrderLevel> level = order_level(model);
    if (!is_inferred(model) || (level && level->real_time && lacks_real_time_)) {
      return false;
    }
    const bool is_serial = level && level->visibility == Visibility::kSerial;
    const bool is_about_writes_alone = entailed(Model::kStrongPl1).test(model);
    return (inference.version_orders_total && !is_partial_) ||
           (inference.version_orders_serial && is_serial && !is_partial_) ||
           (inference.version_orders_serial && is_about_writes_alone) ||
           (is_about_writes_alone && !history_.has_lists() &&
            !options_.assumptions.order_something());
  }

  [[nodiscard]] Inference infer() {
    const auto keep_going = [this] { return progress(stage_) && has_budget(); };
    return row_of(history_.workload()).infer(history_, options_.assumptions, keep_going);
  }

  void find_cycles(const Inference& inference) {
    CycleFindings found = elapid::find_cycles(
        history_, inference,
        {.orders = orders_,
         .wanted = searched_,
         .proving = prohibited_,
         .edge_visits = options_.budget.edge_visits,
         .milliseconds = options_.budget.milliseconds,
         .keep_components = options_.keep_components,
         .keep_going = [this] { return progress("searching for cycles") && has_budget(); }});
    std::move(found.anomalies.begin(), found.anomalies.end(),
              std::back_inserter(verdict_.anomalies));
    verdict_.components = std::move(found.components);
    is_partial_ = found.is_partial;
    version_orders_total_ = version_orders_total_ && !is_partial_ && spent_at_.empty();
  }

  /// Whether all models demanded are such.
  template <class Predicate>
  [[nodiscard]] bool demands_only(Predicate is_such) const {
    return options_.models.filter(is_such) == options_.models;
  }

  /// Whether all levels demanded make transactions single events.
  [[nodiscard]] bool demands_serial_levels() const {
    return demands_only([](Model model) {
      const auto level = order_level(model);
      return level && level->visibility == Visibility::kSerial;
    });
  }

  /// Whether the engine asked for decides by an order of events, with or without the inference.
  [[nodiscard]] bool is_asked_for_order() const {
    return options_.engine != Engine::kAuto && options_.engine != Engine::kElle;
  }

  /// Whether what was found so far violates what is demanded.
  [[nodiscard]] bool is_violated() const {
    return (types_of(verdict_.anomalies) & prohibited_).any();
  }

  /// Whether the inference has left something open that an order of events decides. What a single
  /// read shows needs no search of all orders.
  [[nodiscard]] bool needs_solver() const {
    if (options_.engine == Engine::kSearch && is_violated() && !options_.each_model) {
      return false;
    }
    const bool leaves_open =
        scope_ == Scope::kLadder ||
        (!is_violated() && (!version_orders_total_ || !demands_only(is_inferred)));
    return is_asked_for_order() || options_.needs_order ||
           (options_.engine == Engine::kAuto && leaves_open);
  }

  void search_orders() {
    const auto keep_going = [this] { return progress("searching for an order"); };
    const auto is_saturated = [](Model model) {
      const auto level = order_level(model);
      return level && is_saturable(level->visibility);
    };
    engine_at_work_ = options_.engine == Engine::kSearch ? "search"
                      : demands_only(is_saturated)       ? "saturation"
                                                         : "solver";
    adopt(scope_ == Scope::kLadder
              ? check_each_order(history_, options_, asked_, asked_, known_, keep_going)
              : check_orders(history_, options_, keep_going));
  }

  void adopt(OrderFindings found) {
    for (const LevelAnswer& level : found.levels) {
      const bool is_saturated = is_saturable(order_level(level.model)->visibility);
      verdict_.engine = options_.engine == Engine::kSearch            ? "search"
                        : is_saturated && verdict_.engine != "solver" ? "saturation"
                                                                      : "solver";
    }
    std::ranges::move(found.levels, std::back_inserter(verdict_.levels));
    known_.prove(found.known.proven());
    known_.refute(found.known.refuted());
    std::ranges::move(found.undecided, std::back_inserter(undecided_));
    std::ranges::move(found.warnings, std::back_inserter(verdict_.warnings));
    has_impossible_ = has_impossible_ || (!found.violations.empty() && has_impossible());
    for (const OrderViolation& violation : found.violations) {
      known_.refute(ruled_out_by(violation));
    }
    if (options_.each_model) {
      show_weakest(std::move(found.violations));
    } else if (!is_violated()) {
      for (OrderViolation& violation : found.violations) {
        if ((ruled_out_by(violation) & options_.models).any()) {
          show(std::move(violation.anomaly));
        }
      }
    }
  }

  void show(Anomaly anomaly) {
    prohibited_.set(anomaly.type);
    if (has_impossible_) {
      bare_.set(anomaly.type);
    }
    verdict_.anomalies.push_back(std::move(anomaly));
  }

  /// These models, those that the anomalies rule out, and all that entail one of them.
  [[nodiscard]] static ModelSet ruled_out_by(const AnomalySet& anomalies, ModelSet models = {}) {
    KnownModels known;
    known.refute(models | impossible_models(anomalies));
    return known.refuted();
  }

  /// Where indeterminate transactions contradict themselves, levels differ in whether these may
  /// have taken effect: what follows from that they did not is said of the level itself only.
  [[nodiscard]] ModelSet ruled_out_by(const OrderViolation& violation) const {
    const AnomalySet types = AnomalySet{violation.anomaly.type};
    return ruled_out_by(has_impossible_ ? AnomalySet() : types, ModelSet{violation.model});
  }

  /// Whether the reads of some indeterminate transaction contradict one another or its own writes.
  [[nodiscard]] bool has_impossible() const {
    std::vector<TxnId> indeterminate;
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.status({t}) == TxnStatus::kIndeterminate) {
        indeterminate.push_back({t});
      }
    }
    return !indeterminate.empty() && !Footprints(history_, indeterminate).internal().empty();
  }

  /// What violates the weakest of the models that are: all of what was found asking for one of
  /// these, and of the rest what rules out one that nothing else does.
  void show_weakest(std::vector<OrderViolation> violations) {
    const ModelSet weakest = weakest_of(known_.refuted() & options_.models);
    std::erase_if(verdict_.anomalies, [&](const Anomaly& anomaly) {
      const ModelSet impossible = impossible_models(AnomalySet{anomaly.type});
      return (impossible & weakest).none() && (impossible & options_.models).any();
    });
    const auto is_of_weakest = [&](const OrderViolation& violation) {
      return (entailed(violation.model) & entailing(violation.model) & weakest).any();
    };
    std::ranges::stable_partition(violations, is_of_weakest);
    ModelSet open = weakest & ~ruled_out_by(types_of(verdict_.anomalies));
    for (OrderViolation& violation : violations) {
      const ModelSet ruled_out = ruled_out_by(violation);
      if (is_of_weakest(violation) || (ruled_out & open).any()) {
        open &= ~ruled_out;
        show(std::move(violation.anomaly));
      }
    }
  }

  [[nodiscard]] bool nothing_committed() const {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.committed({t})) {
        return false;
      }
    }
    return true;
  }

  /// As Elle's lattice has it.
  [[nodiscard]] ModelSet refuted_by_orders() const {
    ModelSet refuted;
    for (const LevelAnswer& level : verdict_.levels) {
      refuted.set(level.model, level.validity == Validity::kInvalid);
    }
    return all_impossible(refuted);
  }

  void decide() {
    const bool is_proven = options_.models.any() && (options_.models & ~known_.proven()).none();
    const ModelSet refuted = refuted_by_orders();
    // What stopped the inference did not stop the solver.
    if (is_proven || refuted.any() || !left_open().empty()) {
      verdict_.elle_error.reset();
    }
    if (is_proven) {
      std::erase_if(verdict_.anomalies, [](const Anomaly& anomaly) {
        return anomaly.type == AnomalyType::kCycleSearchTimeout;
      });
    }
    const AnomalySet found = types_of(verdict_.anomalies) & ~bare_;
    keep_reportable(verdict_.anomalies, prohibited_);
    std::stable_sort(
        verdict_.anomalies.begin(), verdict_.anomalies.end(),
        [](const Anomaly& a, const Anomaly& b) { return name(a.type) < name(b.type); });
    if (is_violated()) {
      verdict_.validity = Validity::kInvalid;
    } else if (verdict_.elle_error || !verdict_.anomalies.empty()) {
      verdict_.validity = Validity::kUnknown;
    }
    explain_unknown();
    doubt_valid(is_proven);
    if (options_.each_model) {
      climb();
    }
    if (verdict_.validity != Validity::kValid) {
      const ModelSet impossible =
          options_.each_model ? known_.refuted() : impossible_models(found) | refuted;
      const Boundary ruled_out =
          boundary_of(impossible & (is_elles_question() ? models_of_elle() : ModelSet::all()));
      verdict_.not_models = ruled_out.not_models;
      verdict_.also_not_models = ruled_out.also_not_models;
    }
    verdict_.complete = options_.each_model ? decides_each() : is_final(is_proven);
  }

  /// Whether the verdict cannot be another one. With total version orders an acyclic dependency
  /// graph is a proof (Adya 1999, chapter 4).
  [[nodiscard]] bool is_final(bool is_proven) const {
    return verdict_.validity == Validity::kInvalid ||
           (verdict_.validity == Validity::kValid && (version_orders_total_ || is_proven));
  }

  [[nodiscard]] bool decides_each() const {
    return models_that_are(Validity::kUnknown, verdict_.ladder).none();
  }

  void climb() {
    verdict_.ladder = ladder_of(options_.models, known_, undecided_);
    const ModelSet invalid = models_that_are(Validity::kInvalid, verdict_.ladder);
    const std::size_t open = models_that_are(Validity::kUnknown, verdict_.ladder).count();
    verdict_.unknown_because.reset();
    if (invalid.any()) {
      verdict_.validity = Validity::kInvalid;
    } else if (open > 0) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = std::to_string(open) + " of " +
                                 std::to_string(verdict_.ladder.size()) +
                                 " levels could not be decided";
    } else {
      verdict_.validity = Validity::kValid;
    }
  }

  /// Levels that Elle does not know are spoken of only to who asks for one.
  [[nodiscard]] bool is_elles_question() const {
    return (options_.models & ~models_of_elle()).none();
  }

  /// What was not refuted is not proven where a needed order is not known, or where the inference
  /// on registers is the only check a session trace gets.
  void doubt_valid(bool is_proven) {
    if (verdict_.validity == Validity::kValid && !is_proven) {
      const std::string because = spent_at_.empty() ? undecided_because() : spent_budget();
      if (!because.empty()) {
        verdict_.validity = Validity::kUnknown;
        verdict_.unknown_because = because;
        return;
      }
    }
    const bool is_unproven_trace =
        history_.info().is_session_trace && !version_orders_total_ && !history_.has_lists();
    if (verdict_.validity != Validity::kValid || is_proven ||
        !(lacks_real_time_ || is_unproven_trace || is_partial_)) {
      return;
    }
    verdict_.validity = Validity::kUnknown;
    verdict_.unknown_because = std::string(lacks_real_time_ ? kLacksRealTime
                                           : is_partial_    ? kTooManyAntiDependencies
                                                            : kIncompleteForRegisters);
  }

  /// Why the search for an order left levels demanded open; which, if there are several.
  [[nodiscard]] std::string left_open() const {
    std::string reasons;
    for (const auto& [model, because] : undecided_) {
      if (options_.models.test(model) && !known_.is_decided(model)) {
        reasons += reasons.empty() ? "" : "; ";
        reasons += options_.models.count() > 1 ? std::string(friendly_name(model)) + ": " : "";
        reasons += because;
      }
    }
    return reasons;
  }

  /// Of a model demanded that is neither proven nor refuted, why. Elle, and the inference asked for
  /// alone, call it valid.
  [[nodiscard]] std::string undecided_because() const {
    if (std::string because = left_open(); !because.empty()) {
      return because;
    }
    for (const Standing& standing : ladder_of(options_.models, known_, undecided_)) {
      if (standing.validity == Validity::kUnknown && options_.engine == Engine::kAuto) {
        return standing.unknown_because;
      }
    }
    return "";
  }

  void explain_unknown() {
    if (verdict_.validity != Validity::kUnknown) {
      return;
    }
    if (std::string because = left_open(); !because.empty()) {
      verdict_.unknown_because = std::move(because);
    } else if (!spent_at_.empty()) {
      verdict_.unknown_because = spent_budget();
    } else if (verdict_.elle_error) {
      verdict_.unknown_because = *verdict_.elle_error;
    } else if (verdict_.anomalies.front().type == AnomalyType::kCycleSearchTimeout) {
      verdict_.unknown_because = out_of_cycle_budget(options_.words);
    } else {
      verdict_.unknown_because = std::string(kNothingToCheck);
    }
  }

  const History& history_;
  const CheckOptions& options_;
  Scope scope_;
  ModelSet asked_;         // demanded, or all
  AnomalySet prohibited_;  // by what is demanded
  AnomalySet searched_;    // prohibited by what is asked
  ExternalOrders orders_;
  Verdict verdict_;
  bool version_orders_total_ = false;
  bool is_partial_ = false;       // the inference, since there were too many edges
  bool lacks_real_time_ = false;  // although it is demanded
  bool has_impossible_ = false;   // has_impossible(), asked if there are violations
  AnomalySet bare_;               // shown, and ruling out no more than the level they were found at
  bool stopped_ = false;
  std::string_view stage_ = "beginning";
  std::string_view spent_at_;  // the stage at which the budget was reached
  std::string engine_at_work_ = "elle";
  KnownModels known_;
  std::vector<std::pair<Model, std::string>> undecided_;
};

Result<Verdict> check_by_timestamps_alone(const History& history, const CheckOptions& options) {
  try {
    return check_by_timestamps(history, options);
  } catch (const std::bad_alloc&) {
    return out_of_memory(options, "timestamps", "comparing with timestamps");
  }
}

Result<Verdict> check_as_elle_alone(const History& history, const CheckOptions& options) {
  try {
    return check_as_elle(history, options);
  } catch (const std::bad_alloc&) {
    return out_of_memory(options, "elle", "answering as Elle");
  }
}

/// What is left of a verdict by timestamps when the solver has decided the levels without them.
void believe(const Verdict& without, Verdict& verdict) {
  verdict.cross_check = without.validity;
  if (without.validity == Validity::kValid) {
    verdict.validity = Validity::kUnknown;
    verdict.complete = false;
    verdict.unknown_because =
        "the timestamps are wrong, and the levels hold: some other order satisfies them";
    verdict.not_models = {};
    verdict.also_not_models = {};
  } else if (without.validity == Validity::kInvalid && verdict.validity == Validity::kUnknown) {
    verdict.validity = Validity::kInvalid;  // no error of clocks explains it
    verdict.complete = true;
    verdict.unknown_because.reset();
    verdict.anomalies = without.anomalies;
    verdict.levels = without.levels;
    verdict.not_models = without.not_models;
    verdict.also_not_models = without.also_not_models;
  }
}

/// Where the timestamps are violated, the solver tells whether that is the fault of the clocks
/// alone.
Result<Verdict> check_with_timestamps(const History& history, const CheckOptions& options) {
  Result<Verdict> verdict = check_by_timestamps_alone(history, options);
  const bool is_violated =
      verdict &&
      (verdict.value().validity == Validity::kInvalid ||
       (verdict.value().timestamps && verdict.value().timestamps->within_clock_skew > 0));
  if (!options.cross_check || !is_violated) {
    return verdict;
  }
  CheckOptions again = options;
  again.engine = Engine::kSolver;
  const Result<Verdict> without = Check(history, again, Scope::kDemanded).run();
  if (!without) {
    return without.error();
  }
  believe(without.value(), verdict.value());
  return verdict;
}

}  // namespace

Result<Verdict> check(const History& history, const CheckOptions& options) {
  if (options.engine == Engine::kTimestamps) {
    return check_with_timestamps(history, options);
  }
  return options.assumptions.elle_compat ? check_as_elle_alone(history, options)
                                         : Check(history, options, Scope::kDemanded).run();
}

}  // namespace elapid
