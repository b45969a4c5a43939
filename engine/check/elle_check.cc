#include "engine/check/elle_check.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/check/certification.h"
#include "engine/check/question.h"
#include "engine/check/unknown_reasons.h"
#include "engine/elle/analysis.h"
#include "engine/elle/cycle_search.h"

namespace elapid {

namespace {

/// The anomalies that Elle shows: prohibited ones and what makes a verdict unknown, but no bare
/// existence of a cycle in a model's graph where an anomaly of another kind rules the model out.
void keep_shown(std::vector<Anomaly>& anomalies, AnomalySet prohibited) {
  prohibited.set(AnomalyType::kEmptyTransactionGraph).set(AnomalyType::kCycleSearchTimeout);
  std::erase_if(anomalies, [&](const Anomaly& anomaly) { return !prohibited.test(anomaly.type); });
  AnomalySet others;
  for (const Anomaly& anomaly : anomalies) {
    others.set(anomaly.type, !std::holds_alternative<CycleExistsEvidence>(anomaly.evidence));
  }
  const ModelSet impossible = impossible_models(others);
  std::erase_if(anomalies, [&](const Anomaly& anomaly) {
    const auto* cycle = std::get_if<CycleExistsEvidence>(&anomaly.evidence);
    return cycle != nullptr && impossible.test(cycle->model);
  });
}

/// Elle takes real time alone where both orders are needed, and so misses violations of session
/// order among transactions that real time does not order.
ExternalOrders orders_of_elle(const AnomalySet& prohibited) {
  ExternalOrders orders = orders_needed(prohibited);
  orders.process = orders.process && !orders.realtime;
  return orders;
}

class ElleCheck {
 public:
  ElleCheck(const History& history, const CheckOptions& options)
      : history_(history),
        options_(options),
        prohibited_(prohibited(options.models, options.anomalies)),
        orders_(orders_of_elle(prohibited_)) {
    verdict_.assumptions = options.assumptions;
    verdict_.checked = options.models;
  }

  Result<Verdict> run() {
    // To Elle events without invocations are real time, too, in which nothing is ordered.
    const bool has_real_time = history_.info().has_real_time || !history_.info().is_session_trace;
    if (options_.assumptions.linearizable_keys && !has_real_time) {
      return needs_real_time(options_);
    }
    lacks_real_time_ = orders_.realtime && !has_real_time;
    orders_.realtime = orders_.realtime && has_real_time;
    if (!analyze()) {
      return usage_error("interrupted");
    }
    decide();
    if (options_.certify) {
      if (auto error = certify_verdict(history_, options_, {}, verdict_)) {
        return *error;
      }
    }
    return std::move(verdict_);
  }

 private:
  bool progress(std::string_view stage) {
    stopped_ = stopped_ || (options_.progress && !options_.progress(stage));
    return !stopped_;
  }

  bool has_budget() {
    is_spent_ = is_spent_ || (options_.has_budget && !options_.has_budget());
    return !is_spent_;
  }

  /// False if the check was interrupted.
  bool analyze() {
    if (!progress("inferring dependencies")) {
      return false;
    }
    elle::Analysis analysis = history_.has_lists()
                                  ? elle::analyze_lists(history_)
                                  : elle::analyze_registers(history_, options_.assumptions);
    verdict_.elle_error = std::move(analysis.exception);
    if (!verdict_.elle_error && progress("searching for cycles")) {
      verdict_.anomalies = std::move(analysis.anomalies);
      if (has_budget()) {
        find_cycles(analysis);
      }
    }
    return !stopped_ && progress("certifying evidence");
  }

  void find_cycles(elle::Analysis& analysis) {
    elle::CycleFindings found = elle::find_cycles(
        history_, analysis,
        {.orders = orders_,
         .edge_visits = options_.budget.edge_visits,
         .milliseconds = options_.budget.milliseconds,
         .keep_components = options_.keep_components,
         .keep_going = [this] { return progress("searching for cycles") && has_budget(); }});
    verdict_.elle_error = std::move(found.exception);
    if (verdict_.elle_error) {
      verdict_.anomalies.clear();
      return;
    }
    std::ranges::move(found.anomalies, std::back_inserter(verdict_.anomalies));
    verdict_.components = std::move(found.components);
    is_partial_ = found.is_partial;
  }

  void decide() {
    const AnomalySet found = types_of(verdict_.anomalies);
    keep_shown(verdict_.anomalies, prohibited_);
    std::ranges::stable_sort(verdict_.anomalies, [](const Anomaly& a, const Anomaly& b) {
      return name(a.type) < name(b.type);
    });
    if ((types_of(verdict_.anomalies) & prohibited_).any()) {
      verdict_.validity = Validity::kInvalid;
      verdict_.complete = true;
    } else if (verdict_.elle_error || !verdict_.anomalies.empty()) {
      verdict_.validity = Validity::kUnknown;
    }
    explain_unknown();
    doubt_valid();
    if (is_spent_ && verdict_.validity != Validity::kInvalid) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = "the budget was reached (" + options_.spent_budget + ")";
    }
    if (verdict_.validity != Validity::kValid) {
      const Boundary ruled_out = boundary_of(impossible_models(found) & models_of_elle());
      verdict_.not_models = ruled_out.not_models;
      verdict_.also_not_models = ruled_out.also_not_models;
    }
  }

  void explain_unknown() {
    if (verdict_.validity != Validity::kUnknown) {
      return;
    }
    if (verdict_.elle_error) {
      verdict_.unknown_because = verdict_.elle_error;
    } else if (verdict_.anomalies.front().type == AnomalyType::kCycleSearchTimeout) {
      verdict_.unknown_because = out_of_cycle_budget(options_.words);
    } else {
      verdict_.unknown_because = std::string(kNothingToCheck);
    }
  }

  /// Elle reads no session traces: where it would call one valid, for want of what the trace lacks,
  /// nothing is claimed. Nor is it where not all edges were looked at.
  void doubt_valid() {
    const bool is_unproven = history_.info().is_session_trace && !history_.has_lists();
    if (verdict_.validity == Validity::kValid && (lacks_real_time_ || is_unproven || is_partial_)) {
      verdict_.validity = Validity::kUnknown;
      verdict_.unknown_because = std::string(is_partial_        ? kTooManyAntiDependencies
                                             : lacks_real_time_ ? kLacksRealTime
                                                                : kIncompleteForRegisters);
    }
  }

  const History& history_;
  const CheckOptions& options_;
  AnomalySet prohibited_;
  ExternalOrders orders_;
  Verdict verdict_;
  bool lacks_real_time_ = false;  // although it is demanded
  bool is_partial_ = false;       // edges were too many to be looked at
  bool stopped_ = false;
  bool is_spent_ = false;  // the budget, before all was looked at
};

}  // namespace

Result<Verdict> check_as_elle(const History& history, const CheckOptions& options) {
  return ElleCheck(history, options).run();
}

}  // namespace elapid
