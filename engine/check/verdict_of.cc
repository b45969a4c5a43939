#include "engine/check/verdict_of.h"

#include <algorithm>
#include <iterator>

#include "engine/check/unknown_reasons.h"
#include "engine/levels/ladder.h"
#include "engine/solve/footprints.h"

namespace elapid {

namespace {

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

}  // namespace

VerdictOf::VerdictOf(const History& history, const CheckOptions& options, const Question& question,
                     InferenceAnswer inference, std::optional<OrderFindings> orders)
    : history_(history),
      options_(options),
      question_(question),
      known_(std::move(inference.known)),
      prohibited_(question.prohibited),
      is_total_(inference.is_total),
      is_partial_(inference.is_partial) {
  verdict_.assumptions = options.assumptions;
  verdict_.checked = options.models;
  verdict_.anomalies = std::move(inference.anomalies);
  verdict_.components = std::move(inference.components);
  verdict_.elle_error = std::move(inference.elle_error);
  if (orders) {
    adopt(*std::move(orders));
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

void VerdictOf::adopt(OrderFindings found) {
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
  has_impossible_ = !found.violations.empty() && has_impossible();
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

ModelSet VerdictOf::refuted_by_orders() const {
  ModelSet refuted;
  for (const LevelAnswer& level : verdict_.levels) {
    refuted.set(level.model, level.validity == Validity::kInvalid);
  }
  return all_impossible(refuted);
}

void VerdictOf::decide() {
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
  std::stable_sort(verdict_.anomalies.begin(), verdict_.anomalies.end(),
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

bool VerdictOf::is_final(bool is_proven) const {
  return verdict_.validity == Validity::kInvalid ||
         (verdict_.validity == Validity::kValid && (is_total_ || is_proven));
}

bool VerdictOf::decides_each() const {
  return models_that_are(Validity::kUnknown, verdict_.ladder).none();
}

void VerdictOf::climb() {
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

bool VerdictOf::is_elles_question() const {
  return (options_.models & ~models_of_elle()).none();
}

void VerdictOf::doubt_valid(bool is_proven) {
  if (verdict_.validity == Validity::kValid && !is_proven) {
    const std::string because = spent_.empty() ? undecided_because() : spent_;
    if (!because.empty()) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = because;
      return;
    }
  }
  const bool is_unproven_trace =
      history_.info().is_session_trace && !is_total_ && !history_.has_lists();
  if (verdict_.validity != Validity::kValid || is_proven ||
      !(question_.lacks_real_time || is_unproven_trace || is_partial_)) {
    return;
  }
  verdict_.validity = Validity::kUnknown;
  verdict_.unknown_because = std::string(question_.lacks_real_time ? kLacksRealTime
                                         : is_partial_             ? kTooManyAntiDependencies
                                                                   : kIncompleteForRegisters);
}

std::string VerdictOf::left_open() const {
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

std::string VerdictOf::undecided_because() const {
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

void VerdictOf::explain_unknown() {
  if (verdict_.validity != Validity::kUnknown) {
    return;
  }
  if (std::string because = left_open(); !because.empty()) {
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

}  // namespace elapid
