#include "engine/check/verdict_of.h"

#include <algorithm>
#include <iterator>

#include "engine/check/unknown_reasons.h"
#include "engine/ir/memory_account.h"
#include "engine/levels/ladder.h"
#include "engine/solve/footprints.h"

namespace elapid {

namespace {

/// The model whose graph has a cycle, if the anomaly says only that.
std::optional<Model> model_without_order(const Anomaly& anomaly) {
  if (const auto* cycle = std::get_if<CycleExistsEvidence>(&anomaly.evidence)) {
    return cycle->model;
  }
  const auto* searched = std::get_if<NoOrderEvidence>(&anomaly.evidence);
  return searched != nullptr ? std::optional(searched->model) : std::nullopt;
}

AnomalySet types_with_order(const std::vector<Anomaly>& anomalies) {
  AnomalySet types;
  for (const Anomaly& anomaly : anomalies) {
    types.set(anomaly.type, !model_without_order(anomaly));
  }
  return types;
}

/// The anomalies to report: prohibited ones, and those that make a verdict unknown. The bare
/// existence of a cycle in a model's graph is left out if another anomaly rules the model out. For
/// Elle, the other one must be of another kind.
void keep_reportable(std::vector<Anomaly>& anomalies, AnomalySet prohibited, bool is_for_elle) {
  prohibited.set(AnomalyType::kEmptyTransactionGraph).set(AnomalyType::kCycleSearchTimeout);
  std::erase_if(anomalies, [&](const Anomaly& anomaly) { return !prohibited.test(anomaly.type); });
  const AnomalySet shown = is_for_elle ? types_with_order(anomalies) : types_of(anomalies);
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

/// Whether a lost update says as much as the cycle. Transactions that read one version of a
/// register and wrote it are all in anti-dependencies with one another. A cycle of them
/// takes all orders of the writes at once: in a single order, one write comes first.
bool says_as_much(const LostUpdateEvidence& lost, const CycleEvidence& cycle) {
  const auto is_lost = [&](TxnId txn) {
    return std::ranges::find(lost.txns, txn) != lost.txns.end();
  };
  return std::ranges::all_of(cycle.steps, [&](const Step& step) {
    return step.relation == Relation::kRw && !step.by_predicate && step.key == lost.key &&
           is_lost(step.from) && is_lost(step.to);
  });
}

/// Leaves out cycles that are lost updates.
void keep_telling(std::vector<Anomaly>& anomalies) {
  std::vector<LostUpdateEvidence> lost;
  for (const Anomaly& anomaly : anomalies) {
    if (const auto* update = std::get_if<LostUpdateEvidence>(&anomaly.evidence)) {
      lost.push_back(*update);
    }
  }
  std::erase_if(anomalies, [&](const Anomaly& anomaly) {
    const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
    return cycle != nullptr && std::ranges::any_of(lost, [&](const LostUpdateEvidence& update) {
             return says_as_much(update, *cycle);
           });
  });
}

}  // namespace

VerdictOf::VerdictOf(const History& history, const CheckOptions& options, const Question& question,
                     std::vector<Answer> answers)
    : history_(history), options_(options), question_(question), prohibited_(question.prohibited) {
  verdict_.assumptions = options.assumptions;
  verdict_.checked = question.demanded;
  std::optional<Answer> timed;
  std::vector<OrderViolation> violations;
  for (Answer& answer : answers) {
    if (answer.believes_timestamps) {
      timed = std::move(answer);
    } else {
      adopt(std::move(answer), violations);
    }
  }
  show_violations(std::move(violations), question.wants_ladder && answers.size() > 1);
  if (timed) {
    weigh(*std::move(timed), answers.size() > 1);
  }
}

Verdict VerdictOf::take(const std::string& spent) {
  spent_ = spent;
  for (const Model model : spent_.empty() ? ModelSet() : question_.asked & ~known_.decided()) {
    undecided_.emplace_back(model, spent_);
  }
  decide();
  return std::move(verdict_);
}

void VerdictOf::adopt(Answer answer, std::vector<OrderViolation>& violations) {
  const auto append = [](auto& from, auto& to) { std::ranges::move(from, std::back_inserter(to)); };
  append(answer.anomalies, verdict_.anomalies);
  append(answer.components, verdict_.components);
  append(answer.levels, verdict_.levels);
  append(answer.warnings, verdict_.warnings);
  append(answer.undecided, undecided_);
  append(answer.violations, violations);
  known_.prove(answer.known.proven());
  known_.refute(answer.known.refuted());
  is_total_ = is_total_ || answer.is_total;
  is_partial_ = is_partial_ || answer.is_partial;
  is_understood_ = is_understood_ && answer.is_understood;
  if (!answer.engine.empty()) {
    verdict_.engine = std::move(answer.engine);
  }
  if (answer.elle_error) {
    verdict_.elle_error = std::move(answer.elle_error);
  }
  if (answer.doubt) {
    doubt_ = std::move(answer.doubt);
  }
}

void VerdictOf::show_violations(std::vector<OrderViolation> violations, bool is_of_weakest) {
  has_impossible_ = !violations.empty() && has_impossible();
  for (const OrderViolation& violation : violations) {
    known_.refute(ruled_out_by(violation));
  }
  if (is_of_weakest) {
    show_weakest(std::move(violations));
  } else if (!is_violated()) {
    for (OrderViolation& violation : violations) {
      if ((ruled_out_by(violation) & question_.demanded).any()) {
        show(std::move(violation.anomaly));
      }
    }
  }
}

void VerdictOf::weigh(Answer timed, bool has_others) {
  if (has_others) {
    verdict_.cross_check = is_violated() ? Validity::kInvalid
                           : all_hold()  ? Validity::kValid
                                         : Validity::kUnknown;
  }
  const bool violates = (timed.violated_in_time & question_.demanded).any();
  verdict_.engine = timed.engine;
  verdict_.timestamps = timed.timestamps;
  verdict_.elle_error.reset();
  verdict_.warnings = std::move(timed.warnings);
  if (verdict_.cross_check == Validity::kInvalid && !violates) {
    return;  // no error of clocks explains it
  }
  if (verdict_.cross_check == Validity::kValid) {
    timed.doubt = "the timestamps are wrong, and the levels hold: some other order satisfies them";
    timed.violated_in_time = {};
  }
  let_timestamps_lead(std::move(timed));
}

void VerdictOf::let_timestamps_lead(Answer timed) {
  keep_reportable(verdict_.anomalies, prohibited_, false);
  unshown_ = {known_, std::move(verdict_.anomalies), std::move(verdict_.levels)};
  verdict_.anomalies = std::move(timed.anomalies);
  verdict_.levels = std::move(timed.levels);
  const AnomalySet types = types_of(verdict_.anomalies);
  const bool violates = (timed.violated_in_time & question_.demanded).any();
  prohibited_ = violates ? types : AnomalySet();
  undecided_types_ = types;
  known_ = timed.known;
  violated_in_time_ = timed.violated_in_time;
  undecided_.clear();
  doubt_ = std::move(timed.doubt);
}

void VerdictOf::show(Anomaly anomaly) {
  prohibited_.set(anomaly.type);
  if (has_impossible_) {
    bare_.set(anomaly.type);
  }
  verdict_.anomalies.push_back(std::move(anomaly));
}

ModelSet VerdictOf::ruled_out_by(const AnomalySet& anomalies, ModelSet models) {
  KnownModels known;
  known.refute(models | impossible_models(anomalies));
  return known.refuted();
}

ModelSet VerdictOf::ruled_out_by(const OrderViolation& violation) const {
  const AnomalySet types = AnomalySet{violation.anomaly.type};
  return ruled_out_by(has_impossible_ ? AnomalySet() : types, ModelSet{violation.model});
}

bool VerdictOf::has_impossible() const {
  std::vector<TxnId> indeterminate;
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    if (history_.status({t}) == TxnStatus::kIndeterminate) {
      indeterminate.push_back({t});
    }
  }
  return !indeterminate.empty() && !Footprints(history_, indeterminate).internal().empty();
}

void VerdictOf::show_weakest(std::vector<OrderViolation> violations) {
  const ModelSet weakest = weakest_of(known_.refuted() & question_.demanded);
  std::erase_if(verdict_.anomalies, [&](const Anomaly& anomaly) {
    const ModelSet impossible = impossible_models(AnomalySet{anomaly.type});
    return (impossible & weakest).none() && (impossible & question_.demanded).any();
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

ModelSet VerdictOf::refuted_by_orders() const {
  ModelSet refuted;
  for (const LevelAnswer& level : verdict_.levels) {
    refuted.set(level.model, level.validity == Validity::kInvalid);
  }
  return all_impossible(refuted);
}

bool VerdictOf::all_hold() const {
  return question_.demanded.any() && (question_.demanded & ~known_.proven()).none();
}

bool VerdictOf::is_proven() const {
  const AnomalySet of_levels = prohibited(entailed(question_.demanded), {});
  return all_hold() && (question_.prohibited & ~of_levels).none();
}

ModelSet VerdictOf::ruled_out(const AnomalySet& found) const {
  if (violated_in_time_) {
    return *violated_in_time_;
  }
  const ModelSet refuted = impossible_models(found) | refuted_by_orders();
  if (question_.is_for_elle) {
    return refuted & models_of_elle();
  }
  KnownModels known = known_;
  known.refute(refuted);
  const ModelSet impossible = question_.wants_ladder
                                  ? known.refuted()
                                  : refuted | all_impossible(known.refuted() & question_.demanded);
  return is_elles_question() ? impossible & models_of_elle() : impossible;
}

void VerdictOf::decide() {
  const bool is_proven = this->is_proven();
  // What stopped the inference did not stop the solver.
  if (is_proven || refuted_by_orders().any() || (!question_.is_for_elle && !left_open().empty())) {
    verdict_.elle_error.reset();
  }
  if (is_proven) {
    std::erase_if(verdict_.anomalies, [](const Anomaly& anomaly) {
      return anomaly.type == AnomalyType::kCycleSearchTimeout;
    });
  }
  const AnomalySet found = types_of(verdict_.anomalies) & ~bare_;
  keep_reportable(verdict_.anomalies, prohibited_ | undecided_types_, question_.is_for_elle);
  if (!question_.is_for_elle) {
    keep_telling(verdict_.anomalies);
  }
  group_by_type(verdict_.anomalies);
  if (is_violated()) {
    verdict_.validity = Validity::kInvalid;
  } else if (verdict_.elle_error || !verdict_.anomalies.empty()) {
    verdict_.validity = Validity::kUnknown;
  }
  explain_unknown();
  doubt_valid(is_proven);
  if (question_.wants_ladder) {
    climb();
  }
  if (verdict_.validity != Validity::kValid) {
    const Boundary boundary = boundary_of(ruled_out(found));
    verdict_.not_models = boundary.not_models;
    verdict_.also_not_models = boundary.also_not_models;
  }
  verdict_.complete = question_.wants_ladder ? decides_each() : is_final(is_proven);
}

bool VerdictOf::is_final(bool is_proven) const {
  return verdict_.validity == Validity::kInvalid ||
         (verdict_.validity == Validity::kValid && (is_total_ || is_proven));
}

bool VerdictOf::decides_each() const {
  return models_that_are(Validity::kUnknown, verdict_.ladder).none();
}

void VerdictOf::climb() {
  verdict_.ladder = ladder_of(question_.demanded, known_, undecided_);
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

bool VerdictOf::is_elles_question() const {
  return (question_.demanded & ~models_of_elle()).none();
}

void VerdictOf::doubt_valid(bool is_proven) {
  if (verdict_.validity == Validity::kValid && !is_proven) {
    const std::string because = doubt_ ? *doubt_ : spent_.empty() ? undecided_because() : spent_;
    if (!because.empty()) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = because;
      return;
    }
  }
  const bool is_unproven_trace =
      history_.info().is_session_trace && !is_total_ && !history_.has_lists();
  const bool lacks_real_time =
      question_.lacks_real_time && orders_needed(question_.prohibited).realtime;
  if (verdict_.validity != Validity::kValid || is_proven ||
      !(lacks_real_time || is_unproven_trace || is_partial_)) {
    return;
  }
  verdict_.validity = Validity::kUnknown;
  verdict_.unknown_because = std::string(lacks_real_time        ? kLacksRealTime
                                         : is_partial_          ? kTooManyAntiDependencies
                                         : history_.info().rows ? kIncompleteForRows
                                                                : kIncompleteForRegisters);
}

std::string VerdictOf::left_open() const {
  std::string reasons;
  for (const auto& [model, because] : undecided_) {
    if (question_.demanded.test(model) && !known_.is_decided(model)) {
      reasons += reasons.empty() ? "" : "; ";
      reasons += question_.demanded.count() > 1 ? std::string(friendly_name(model)) + ": " : "";
      reasons += because;
    }
  }
  return reasons;
}

std::string VerdictOf::undecided_because() const {
  if (std::string because = left_open(); !because.empty()) {
    return because;
  }
  const bool calls_unknown = options_.engine == Engine::kAuto && !question_.is_for_elle;
  for (const Standing& standing : ladder_of(question_.demanded, known_, undecided_)) {
    if (standing.validity == Validity::kUnknown && calls_unknown) {
      return standing.unknown_because;
    }
  }
  return "";
}

void VerdictOf::explain_unknown() {
  if (verdict_.validity != Validity::kUnknown) {
    return;
  }
  if (doubt_) {
    verdict_.unknown_because = doubt_;
  } else if (std::string because = left_open(); !because.empty()) {
    verdict_.unknown_because = std::move(because);
  } else if (!spent_.empty()) {
    verdict_.unknown_because = spent_;
  } else if (verdict_.elle_error) {
    verdict_.unknown_because = *verdict_.elle_error;
  } else if (verdict_.anomalies.front().type == AnomalyType::kCycleSearchTimeout) {
    verdict_.unknown_because = out_of_cycle_budget(options_.words);
  } else {
    verdict_.unknown_because = std::string(kNothingToCheck);
  }
}

void group_by_type(std::vector<Anomaly>& anomalies) {
  std::ranges::stable_sort(anomalies, {},
                           [](const Anomaly& anomaly) { return name(anomaly.type); });
}

Verdict verdict_of_nothing(const History& history, const CheckOptions& options,
                           const Question& question, std::string engine) {
  Verdict verdict = {.checked = question.demanded,
                     .engine = std::move(engine),
                     .assumptions = options.assumptions};
  const ModelSet holding = history.txn_count() > 0 && has_only_registers(history)
                               ? entailed(models_of_visibility()) & question.demanded
                               : ModelSet();
  for (const Model model : holding.filter(has_engine)) {
    verdict.levels.push_back({model, Validity::kValid, Witness{}, {}, {}});
  }
  verdict.complete = question.demanded.any() && holding == question.demanded;
  if (verdict.complete) {
    return verdict;
  }
  verdict.anomalies.push_back({AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}});
  verdict.validity = Validity::kUnknown;
  verdict.unknown_because = std::string(kNothingToCheck);
  if (question.wants_ladder && history.txn_count() > 0) {
    KnownModels known;
    known.prove(holding);
    std::vector<std::pair<Model, std::string>> undecided;
    for (const Model model : ModelSet::all()) {
      undecided.emplace_back(model, *verdict.unknown_because);
    }
    verdict.ladder = ladder_of(question.demanded, known, undecided);
  }
  return verdict;
}

Verdict verdict_out_of_memory(const CheckOptions& options, std::string engine,
                              std::string_view stage) {
  const std::string at(stage);
  return {.validity = Validity::kUnknown,
          .checked = options.models,
          .unknown_because =
              MemoryLimit::is_set()
                  ? "the budget was reached while " + at + " (" + options.spent_budget + ")"
                  : "memory ran out while " + at + ": the system refused more memory, and no " +
                        std::string(options.words.memory) + " was reached before",
          .engine = std::move(engine),
          .assumptions = options.assumptions};
}

Verdict verdict_uncertified(const CheckOptions& options, std::string engine) {
  return {.validity = Validity::kUnknown,
          .checked = options.models,
          .unknown_because =
              "the budget was reached while certifying evidence (" + options.spent_budget + ")",
          .engine = std::move(engine),
          .assumptions = options.assumptions};
}

}  // namespace elapid
