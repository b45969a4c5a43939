#include "engine/evidence/describe.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <tuple>
#include <variant>

#include "engine/evidence/kinds.h"
#include "engine/evidence/shown_orders.h"
#include "engine/evidence/violation_pattern.h"

namespace elapid {
namespace {

std::size_t step_count(const Anomaly& anomaly) {
  const auto* cycle = std::get_if<CycleEvidence>(&anomaly.evidence);
  return cycle == nullptr ? 0 : cycle->steps.size();
}

/// Whether errors of clocks explain it.
bool is_doubtful(const Anomaly& anomaly) {
  const auto* evidence = std::get_if<TimestampEvidence>(&anomaly.evidence);
  return evidence != nullptr && evidence->within_clock_skew;
}

/// The claims of one description in terms of another's actors.
class Follower {
 public:
  /// False if a transaction takes part that does not in the leader. Adds witnesses to the leader.
  static bool joins(Description& follower, Description& leader) {
    std::vector<std::size_t> places;
    for (const Actor& actor : follower.actors) {
      const auto known = std::ranges::find(leader.actors, actor.event, &Actor::event);
      if (known == leader.actors.end() && !actor.is_witness) {
        return false;
      }
      places.push_back(static_cast<std::size_t>(known - leader.actors.begin()));
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      Actor& actor = follower.actors[i];
      if (places[i] == leader.actors.size()) {
        leader.actors.push_back({.event = actor.event, .is_witness = true});
      }
      std::ranges::copy(actor.focus, std::back_inserter(leader.actors[places[i]].focus));
    }
    Follower(places).rename(follower.claims);
    follower.actors.clear();
    return true;
  }

 private:
  explicit Follower(const std::vector<std::size_t>& places) : places_(places) {}

  void rename(std::vector<Claim>& claims) const {
    for (Claim& claim : claims) {
      rename(claim.says);
      rename(claim.steps);
      if (claim.arrow) {
        claim.arrow->from = places_[claim.arrow->from];
        claim.arrow->to = places_[claim.arrow->to];
      }
    }
  }

  void rename(Phrase& phrase) const {
    for (Part& part : phrase) {
      if (auto* actor = std::get_if<ActorPart>(&part.content)) {
        actor->actor = places_[actor->actor];
      } else if (auto* series = std::get_if<SeriesPart>(&part.content)) {
        for (Phrase& item : series->items) {
          rename(item);
        }
      }
    }
  }

  const std::vector<std::size_t>& places_;
};

/// Appends the finding of anomalies of one type.
void add_finding(const History& history, std::span<const Anomaly> of_type, ShownOrders& orders,
                 std::vector<Finding>& to) {
  if (!of_type.empty()) {
    to.push_back({.description =
                      describe(history, *std::ranges::min_element(of_type, {}, step_count), orders),
                  .count = of_type.size(),
                  .is_doubtful = is_doubtful(of_type.front())});
  }
}

/// Findings of each type; those that clocks explain come last.
std::vector<Finding> by_type(const History& history, const Verdict& verdict) {
  std::span<const Anomaly> anomalies = verdict.anomalies;
  ShownOrders orders(history, verdict.assumptions);
  std::vector<Finding> deciding;
  std::vector<Finding> doubtful;
  while (!anomalies.empty()) {
    const auto next = std::ranges::find_if(
        anomalies, [&](const Anomaly& anomaly) { return anomaly.type != anomalies.front().type; });
    const auto of_type = anomalies.first(static_cast<std::size_t>(next - anomalies.begin()));
    anomalies = anomalies.subspan(of_type.size());
    const auto first_doubtful =
        static_cast<std::size_t>(std::ranges::find_if(of_type, is_doubtful) - of_type.begin());
    add_finding(history, of_type.first(first_doubtful), orders, deciding);
    add_finding(history, of_type.subspan(first_doubtful), orders, doubtful);
  }
  std::ranges::move(doubtful, std::back_inserter(deciding));
  return deciding;
}

/// The order of findings, the simplest first: not doubtful, few transactions, few claims. Findings
/// without transactions come last. They are no violations: for example, there was nothing to check.
std::tuple<bool, bool, std::size_t, std::size_t> simplicity(const Finding& finding) {
  const auto txns = std::ranges::count(finding.description.actors, false, &Actor::is_witness);
  return {finding.is_doubtful, txns == 0, static_cast<std::size_t>(txns),
          finding.description.claims.size()};
}

/// The value of a read that no transaction wrote; none() for other anomalies.
ValueId value_from_nowhere(const History& history, const Anomaly& anomaly) {
  if (const auto* read = std::get_if<ReadEvidence>(&anomaly.evidence)) {
    return anomaly.type == AnomalyType::kGarbageRead ? read->element : ValueId::none();
  }
  const auto* timed = std::get_if<TimestampEvidence>(&anomaly.evidence);
  const bool is_garbage = timed != nullptr && timed->axiom == TimestampAxiom::kExt &&
                          timed->origin == ReadOrigin::kNowhere && !history.has_lists();
  return is_garbage ? history.ops(timed->txn)[timed->mop].value() : ValueId::none();
}

/// Whether a committed transaction read the assumed initial value.
bool shows_initial(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const bool shows = std::ranges::any_of(history.ops(txn), [&](Op op) {
      return op.kind() == OpKind::kRead && op.value() == history.info().initial;
    });
    if (shows && history.committed(txn)) {
      return true;
    }
  }
  return false;
}

}  // namespace

Description describe(const History& history, const Anomaly& anomaly, ShownOrders& orders) {
  Story story(history, anomaly.type, orders);
  std::visit([&](const auto& evidence) { tell(evidence, story); }, anomaly.evidence);
  Description description = story.take();
  if (std::string pattern = violation_pattern(anomaly); !pattern.empty()) {
    std::replace(pattern.begin() + (pattern.starts_with("non-") ? 4 : 0), pattern.end(), '-', ' ');
    description.gloss += " (" + pattern + ")";
  }
  return description;
}

std::vector<Finding> findings(const History& history, const Verdict& verdict) {
  std::vector<Finding> all = by_type(history, verdict);
  std::ranges::stable_sort(all, {}, simplicity);
  std::vector<std::size_t> leaders;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto leader = std::ranges::find_if(leaders, [&](std::size_t l) {
      return all[l].is_doubtful == all[i].is_doubtful && !all[i].description.actors.empty() &&
             Follower::joins(all[i].description, all[l].description);
    });
    if (leader == leaders.end()) {
      leaders.push_back(i);
    } else {
      all[*leader].followers.push_back(std::move(all[i]));
    }
  }
  std::vector<Finding> led;
  for (const Description& description : verdict.findings) {
    led.push_back({.description = description});
  }
  for (const std::size_t leader : leaders) {
    led.push_back(std::move(all[leader]));
  }
  return led;
}

std::optional<ValueId> likely_initial(const History& history, const Verdict& verdict) {
  std::vector<ValueId> shown;
  for (const Anomaly& anomaly : verdict.anomalies) {
    if (const ValueId value = value_from_nowhere(history, anomaly); !value.is_none()) {
      shown.push_back(value);
    }
  }
  const bool is_told = !shown.empty() && !history.has_lists() &&
                       (shown.size() > 1 || shown[0] == ValueId::integer(0)) &&
                       std::ranges::all_of(shown, [&](ValueId value) { return value == shown[0]; });
  return is_told && !shows_initial(history) ? std::optional(shown[0]) : std::nullopt;
}

}  // namespace elapid
