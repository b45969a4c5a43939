#include "engine/certify/certify.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/anomalies/index.h"
#include "engine/certify/anomalies/timestamp_violation.h"
#include "engine/certify/orders/commit_order.h"
#include "engine/certify/orders/cycle_order.h"
#include "engine/certify/orders/witness.h"
#include "engine/certify/patience.h"
#include "engine/certify/proofs/cycle_proof.h"
#include "engine/certify/proofs/mixed_proof.h"
#include "engine/certify/proofs/refutation.h"
#include "engine/certify/proofs/visible_proof.h"
#include "engine/certify/rows/rows_anomaly.h"
#include "engine/certify/rows/rows_witness.h"
#include "engine/levels/asked_levels.h"
#include "engine/levels/cycle_levels.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

namespace certify {

namespace {

/// `proofs`: what was kept of earlier proofs about the history.
Flaw check_proof(const History& history, OrderLevel level, const Refutation& refutation,
                 const Assumptions& assumptions, VisibleProofs& proofs,
                 const std::function<bool()>& keep_going) {
  if (has_foreign_operations(history)) {
    return kOtherWorkload;
  }
  return is_saturable(level.visibility)
             ? proofs.check(level, refutation)
             : check_refutation(history, level, refutation, assumptions, keep_going);
}

}  // namespace

/// Nothing in the evidence can show that the search overlooked no cycle. So only its transactions
/// are checked.
Flaw check(const Index& index, AnomalyType type, const NoOrderEvidence& evidence) {
  if (name(type).find("cycle-exists") == std::string_view::npos) {
    return "a search without result is no evidence of " + std::string(name(type));
  }
  if (evidence.search.txns.empty() ||
      !std::ranges::all_of(evidence.search.txns, [&](TxnId txn) { return index.has(txn); })) {
    return "the search was not of transactions of this history";
  }
  return {};
}

Flaw check(const Index&, AnomalyType type, const SearchTimeoutEvidence&) {
  if (type != AnomalyType::kCycleSearchTimeout) {
    return "a search given up is no evidence of " + std::string(name(type));
  }
  return {};
}

Flaw check(const Index&, AnomalyType type, const EmptyGraphEvidence&) {
  if (type != AnomalyType::kEmptyTransactionGraph) {
    return "a history without transactions is no evidence of " + std::string(name(type));
  }
  return {};
}

/// The steps with their operations are those of the proof.
Flaw check(const Index& index, AnomalyType type, const MixEvidence& evidence) {
  const History& history = index.history();
  if (type != AnomalyType::kMixedLevels || history.txn_count() == 0) {
    return "a proof about levels that differ is no evidence of " + std::string(name(type));
  }
  const Result<AskedLevels> asked = asked_levels(history);
  if (!asked) {
    return asked.error().message;
  }
  for (const auto& [txn, model] : evidence.levels) {
    if (!index.has(txn) || asked.value().models[txn.index()] != model) {
      return "the evidence names another level for a transaction than the history";
    }
  }
  const auto is_of = [&](const ProvedChoice& told, const ProofStep& proved) {
    return told.clause == proved.clause &&
           std::ranges::equal(told.steps, proved.cycle, [](const Step& step, OrderEdge edge) {
             return step.from == edge.from && step.to == edge.to &&
                    step.relation == edge.relation && step.key == edge.key;
           });
  };
  return std::ranges::equal(evidence.because, evidence.proof.steps, is_of)
             ? check_mixed_proof(history, asked.value().levels, evidence.proof)
             : "the steps differ from those of the proof";
}

Flaw check(const Index&, AnomalyType, const RowsProofEvidence&) {
  return "the history has no rows";
}

Flaw check(const Index&, AnomalyType, const PredicateMissEvidence&) {
  return "the history has no rows";
}

}  // namespace certify

std::optional<std::string> check_evidence(const History& history, OrderLevel level,
                                          const Witness& witness, const Assumptions& assumptions,
                                          const std::function<bool()>& keep_going) {
  if (history.info().rows) {
    return check_rows_witness(history, level, witness, keep_going);
  }
  if (certify::has_foreign_operations(history)) {
    return certify::kOtherWorkload;
  }
  const bool needs_assumptions = bind_versions(assumptions, history);
  if (is_saturable(level.visibility) && needs_assumptions && !witness.order.empty()) {
    return "at this level an order does not show that the assumptions hold";
  }
  return is_saturable(level.visibility)
             ? check_commit_order(history, level, witness, keep_going)
             : check_witness(history, level, witness, assumptions, keep_going);
}

std::optional<std::string> check_evidence(const History& history, OrderLevel level,
                                          const Refutation& refutation,
                                          const Assumptions& assumptions,
                                          const std::function<bool()>& keep_going) {
  certify::VisibleProofs proofs(history, keep_going);
  return certify::check_proof(history, level, refutation, assumptions, proofs, keep_going);
}

namespace {

std::optional<std::string> check_cycle_answer(const History& history, CycleLevel level,
                                              const LevelAnswer& answer,
                                              const Assumptions& assumptions,
                                              const std::function<bool()>& keep_going) {
  if (certify::has_foreign_operations(history)) {
    return certify::kOtherWorkload;
  }
  if (answer.witness && bind_versions(assumptions, history)) {
    return "at this level an order does not show that the assumptions hold";
  }
  if (answer.witness) {
    return check_cycle_order(history, level, *answer.witness, keep_going);
  }
  return answer.refutation ? check_cycle_proof(history, level, *answer.refutation, keep_going)
                           : std::nullopt;
}

}  // namespace

LevelCertifier::LevelCertifier(const History& history, const Assumptions& assumptions,
                               const std::function<bool()>& keep_going)
    : history_(history),
      assumptions_(assumptions),
      keep_going_(keep_going),
      proofs_(std::make_unique<certify::VisibleProofs>(history, keep_going)) {}

LevelCertifier::~LevelCertifier() = default;

std::optional<std::string> LevelCertifier::check(const LevelAnswer& answer) {
  if (answer.validity == Validity::kValid && !answer.witness) {
    return "no order of events shows that the level holds";
  }
  if (const std::optional<CycleLevel> cycles = cycle_level(answer.model)) {
    return check_cycle_answer(history_, *cycles, answer, assumptions_, keep_going_);
  }
  const std::optional<OrderLevel> level = order_level(answer.model);
  if (!level) {
    return "no order of events defines the level";
  }
  const bool has_old_versions = answer.model == Model::kPl299 || answer.model == Model::kPl2 ||
                                answer.model == Model::kReadAtomic;
  if (answer.witness && history_.info().rows && has_old_versions) {
    return check_rows_of_old_versions(history_, answer.model, *answer.witness, keep_going_);
  }
  if (answer.witness) {
    return check_evidence(history_, *level, *answer.witness, assumptions_, keep_going_);
  }
  return answer.refutation ? certify::check_proof(history_, *level, *answer.refutation,
                                                  assumptions_, *proofs_, keep_going_)
                           : std::nullopt;
}

std::optional<std::string> check_level_answer(const History& history, const LevelAnswer& answer,
                                              const Assumptions& assumptions,
                                              const std::function<bool()>& keep_going) {
  return LevelCertifier(history, assumptions, keep_going).check(answer);
}

Certifier::Certifier(const History& history, Assumptions assumptions, bool list_append,
                     std::span<const LevelAnswer> levels)
    : history_(history),
      assumptions_(std::move(assumptions)),
      list_append_(list_append),
      levels_(levels) {}

/// Evidence that rests on a proof is compared with it.
std::optional<std::string> Certifier::check(const certify::Index& index,
                                            const Anomaly& anomaly) const {
  const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
  if (cycle != nullptr && cycle->is_inferred) {
    return certify::check_inferred(index, anomaly.type, *cycle, levels_);
  }
  const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence);
  if (exists != nullptr && !exists->because.empty()) {
    return certify::check_inferred(index, anomaly.type, *exists, levels_);
  }
  return std::visit(
      [&](const auto& evidence) { return certify::check(index, anomaly.type, evidence); },
      anomaly.evidence);
}

namespace {

/// Whether it says that a graph has a cycle, and shows none: another anomaly has to.
bool lacks_walk(const Anomaly& anomaly) {
  const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence);
  return exists != nullptr && exists->because.empty() && exists->walk.empty();
}

}  // namespace

std::vector<CertifyFailure> Certifier::certify(const std::vector<Anomaly>& anomalies,
                                               const std::function<bool()>& keep_going) const {
  std::vector<CertifyFailure> failures;
  std::optional<certify::Index> index;
  std::optional<certify::Writers> writers;  // of the index, where nothing else of it is needed
  const auto flaw_of = [&](const Anomaly& anomaly) -> certify::Flaw {
    if (history_.info().rows) {
      return check_rows_anomaly(history_, anomaly, keep_going);
    }
    if (const auto* timed = std::get_if<TimestampEvidence>(&anomaly.evidence)) {
      if (!writers) {
        writers.emplace(history_);
      }
      return certify::check_timestamp_violation(history_, *writers, *timed);
    }
    if (!index) {
      index.emplace(history_, assumptions_, list_append_);
    }
    return check(*index, anomaly);
  };
  AnomalySet verified;
  for (std::size_t i = 0; i < anomalies.size(); ++i) {
    if (keep_going && !keep_going()) {
      failures.push_back({i, certify::kToldToStop});
      return failures;
    }
    if (certify::Flaw flaw = flaw_of(anomalies[i])) {
      failures.push_back({i, *std::move(flaw)});
    } else if (!lacks_walk(anomalies[i])) {
      verified.set(anomalies[i].type);
    }
  }
  const ModelSet impossible = impossible_models(verified);
  for (std::size_t i = 0; i < anomalies.size() && !assumptions_.elle_compat; ++i) {
    if (lacks_walk(anomalies[i]) && !verified.test(AnomalyType::kCycleSearchTimeout) &&
        !impossible.test(std::get<CycleExistsEvidence>(anomalies[i].evidence).model)) {
      failures.push_back({i, "no walk and no other anomaly shows the cycle"});
    }
  }
  return failures;
}

}  // namespace elapid
