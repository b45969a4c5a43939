#include "harness/minimize/keeps.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "engine/evidence/describe.h"

namespace elapid {

namespace {

/// Anomalies that one or two reads prove, for any order of transactions.
constexpr AnomalySet kOfReads = {
    AnomalyType::kCyclicVersions,   AnomalyType::kDirtyUpdate, AnomalyType::kDuplicateElements,
    AnomalyType::kFutureRead,       AnomalyType::kGarbageRead, AnomalyType::kIncompatibleOrder,
    AnomalyType::kInternal,         AnomalyType::kG1a,         AnomalyType::kG1b,
    AnomalyType::kPredicateReadMiss};

/// Collects all transactions that the evidence names, in any order and repeatedly.
class Naming {
 public:
  std::vector<TxnId> take() {
    std::erase(txns_, TxnId::none());
    std::ranges::sort(txns_);
    txns_.erase(std::unique(txns_.begin(), txns_.end()), txns_.end());
    return std::move(txns_);
  }

  void add(const Description& description) {
    for (const Actor& actor : description.actors) {
      txns_.push_back(actor.event.txn);
    }
  }

  void add(const Anomaly& anomaly, const Verdict& verdict) {
    if (const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence)) {
      add(cycle->steps);
      add(cycle->because);
    } else if (const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence)) {
      add(exists->walk);
      add(exists->because);
      add_refutations(verdict, exists->model);
    } else if (const auto* search = std::get_if<NoOrderEvidence>(&anomaly.evidence)) {
      txns_.insert(txns_.end(), search->search.txns.begin(), search->search.txns.end());
    }
  }

 private:
  void add(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      txns_.insert(txns_.end(), {step.from, step.to});
    }
  }

  void add(const std::vector<Choice>& clause) {
    for (const Choice& choice : clause) {
      txns_.insert(txns_.end(), {choice.first, choice.second});
    }
  }

  void add(const std::vector<ProvedChoice>& because) {
    for (const ProvedChoice& proved : because) {
      add(proved.clause);
      add(proved.steps);
    }
  }

  void add_refutations(const Verdict& verdict, Model model) {
    for (const LevelAnswer& level : verdict.levels) {
      if (level.model != model || !level.refutation) {
        continue;
      }
      for (const ProofStep& step : level.refutation->steps) {
        add(step.clause);
        for (const OrderEdge& edge : step.cycle) {
          txns_.insert(txns_.end(), {edge.from, edge.to, edge.overwritten});
        }
      }
    }
  }

  std::vector<TxnId> txns_;
};

bool is_end_of_search(const Anomaly& anomaly) {
  return std::holds_alternative<SearchTimeoutEvidence>(anomaly.evidence) ||
         std::holds_alternative<EmptyGraphEvidence>(anomaly.evidence);
}

/// The level that the anomaly only proves to be impossible.
std::optional<Model> impossible_model(const Anomaly& anomaly) {
  if (const auto* exists = std::get_if<CycleExistsEvidence>(&anomaly.evidence)) {
    return exists->model;
  }
  if (const auto* search = std::get_if<NoOrderEvidence>(&anomaly.evidence)) {
    return search->model;
  }
  return std::nullopt;
}

/// The claims of findings with this name, without numbers: a queue that returned a value twice must
/// not become one that returned a value that was never added.
std::set<std::string> reasons_found(const Verdict& verdict, std::string_view name) {
  std::set<std::string> reasons;
  for (const Description& finding : verdict.findings) {
    if (finding.name != name || finding.claims.empty()) {
      continue;
    }
    std::string reason;
    for (const Part& part : finding.claims.back().says) {
      if (const auto* text = std::get_if<std::string>(&part.content)) {
        reason += *text;
      }
    }
    std::erase_if(reason, [](char c) { return c >= '0' && c <= '9'; });
    reasons.insert(std::move(reason));
  }
  return reasons;
}

/// Checks a candidate, and refuses it for anomalies in reads that the whole history does not have.
class Asker {
 public:
  Asker(const Verdict& whole, CheckOptions options)
      : known_(types_of(whole.anomalies)), options_(std::move(options)) {
    options_.threads = 1;
    options_.needs_order = false;
    options_.keep_components = false;
    options_.cross_check = false;
    options_.progress = {};
  }

  /// Only the violation of the level counts, not the size of its proof.
  void take_any_proof() { options_.minimal_proofs = false; }

  /// Requires that the model is violated, and no other model beyond those of the whole history.
  /// Where values repeat, a deletion can make one of several possibilities certain.
  void demand(Model model, const Verdict& whole) {
    options_.models = ModelSet({model});
    take_any_proof();
    impossible_ = whole.not_models | whole.also_not_models;
  }

  /// The verdict; nothing if the candidate is not invalid, or invalid for another reason. A refusal
  /// is one of the candidate, which may lack timestamps or real time: the whole was not refused.
  [[nodiscard]] Result<std::optional<Verdict>> ask(const History& history) const {
    Result<Verdict> checked = check(history, options_);
    if (!checked) {
      return checked.error().kind == ErrorKind::kUsage
                 ? Result<std::optional<Verdict>>(std::nullopt)
                 : std::move(checked.error());
    }
    Verdict& verdict = checked.value();
    const AnomalySet types = types_of(verdict.anomalies) & kOfReads;
    const ModelSet impossible = verdict.not_models | verdict.also_not_models;
    const bool is_like_whole = verdict.validity == Validity::kInvalid &&
                               (types & known_) == types &&
                               (!impossible_ || (impossible & *impossible_) == impossible);
    return is_like_whole ? std::optional(std::move(verdict)) : std::nullopt;
  }

 private:
  AnomalySet known_;
  std::optional<ModelSet> impossible_ = {};
  CheckOptions options_;
};

}  // namespace

std::vector<FoundAnomaly> anomalies_found(const History& history, const Verdict& verdict) {
  std::vector<FoundAnomaly> found;
  const auto add = [&](const std::string& type, const Description& description) {
    Naming naming;
    naming.add(description);
    const auto anomaly =
        std::ranges::find(verdict.anomalies, type, [](const Anomaly& a) { return name(a.type); });
    if (anomaly != verdict.anomalies.end()) {
      if (is_end_of_search(*anomaly)) {
        return;
      }
      naming.add(*anomaly, verdict);
    }
    found.push_back({.name = type, .named = naming.take()});
  };
  for (const Finding& finding : findings(history, verdict)) {
    add(finding.description.name, finding.description);
    for (const Finding& follower : finding.followers) {
      add(follower.description.name, finding.description);
    }
  }
  return found;
}

Keeps keeps_anomaly(std::string_view name, const Verdict& verdict, const CheckOptions& options) {
  Asker asker(verdict, options);
  const auto anomaly = std::ranges::find(verdict.anomalies, name,
                                         [](const Anomaly& a) { return elapid::name(a.type); });
  const auto model = anomaly != verdict.anomalies.end() ? impossible_model(*anomaly) : std::nullopt;
  if (model) {
    asker.demand(*model, verdict);
  }
  return [asker = std::move(asker), name = std::string(name),
          reasons = reasons_found(verdict, name),
          any_name = model.has_value()](const History& history) -> Result<bool> {
    ELAPID_ASSIGN_OR_RETURN(const std::optional<Verdict> found, asker.ask(history));
    const bool is_found = found && (any_name || names_found(*found).contains(name));
    return is_found && (reasons.empty() ||
                        std::ranges::any_of(reasons_found(*found, name),
                                            [&](const auto& r) { return reasons.contains(r); }));
  };
}

std::vector<TxnId> named_in(const History& history, std::string_view name,
                            const CheckOptions& options) {
  const Result<Verdict> verdict = check(history, options);
  if (!verdict || verdict.value().validity != Validity::kInvalid) {
    return {};
  }
  const std::vector<FoundAnomaly> found = anomalies_found(history, verdict.value());
  const auto same = std::ranges::find(found, name, &FoundAnomaly::name);
  if (same != found.end()) {
    return same->named;
  }
  return found.empty() ? std::vector<TxnId>() : found.front().named;
}

Keeps keeps_violation(const Verdict& verdict, const CheckOptions& options) {
  Asker asker(verdict, options);
  asker.take_any_proof();
  return [asker = std::move(asker)](const History& history) -> Result<bool> {
    ELAPID_ASSIGN_OR_RETURN(const std::optional<Verdict> found, asker.ask(history));
    return found.has_value();
  };
}

}  // namespace elapid
