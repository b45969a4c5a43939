#include <algorithm>
#include <span>

#include "engine/certify/anomalies/cycle_class.h"
#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/operations/operations.h"
#include "engine/levels/cycle_levels.h"

namespace elapid::certify {

namespace {

bool is_item(Relation relation) {
  return relation != Relation::kProcess && relation != Relation::kRealtime;
}

bool says_the_same(const Step& step, const OrderEdge& edge) {
  return step.from == edge.from && step.to == edge.to && step.relation == edge.relation &&
         (!is_item(step.relation) || step.key == edge.key);
}

bool says_the_same(const ProvedChoice& shown, const ProofStep& step) {
  return shown.clause == step.clause &&
         std::equal(shown.steps.begin(), shown.steps.end(), step.cycle.begin(), step.cycle.end(),
                    [](const Step& a, const OrderEdge& b) { return says_the_same(a, b); });
}

/// Whether these steps are one of the proofs of a refutation.
bool is_proof_in(const Refutation& refutation, std::span<const ProvedChoice> shown) {
  auto begin = refutation.steps.begin();
  while (begin != refutation.steps.end()) {
    auto end = std::find_if(begin, refutation.steps.end(),
                            [](const ProofStep& step) { return step.clause.empty(); });
    end += end == refutation.steps.end() ? 0 : 1;
    if (std::equal(shown.begin(), shown.end(), begin, end,
                   [](const ProvedChoice& a, const ProofStep& b) { return says_the_same(a, b); })) {
      return true;
    }
    begin = end;
  }
  return false;
}

/// Whether these steps are a proof among the answers.
bool is_proof(std::span<const LevelAnswer> levels, std::span<const ProvedChoice> shown) {
  return std::ranges::any_of(levels, [&](const LevelAnswer& level) {
    return level.refutation && is_proof_in(*level.refutation, shown);
  });
}

/// Whether the proof is of a level that forbids cycles by their shape, and names them so. Without
/// anti-dependencies they have another name.
bool is_named_by_shape(AnomalyType type, std::span<const LevelAnswer> levels,
                       std::span<const ProvedChoice> shown) {
  const bool has_rw = std::ranges::any_of(
      shown, [](const ProvedChoice& proved) { return has(proved.steps, Relation::kRw); });
  return has_rw && std::ranges::any_of(levels, [&](const LevelAnswer& level) {
           const std::optional<CycleLevel> cycles = cycle_level(level.model);
           return cycles && own_anomaly(cycles->shape) == type && level.refutation &&
                  is_proof_in(*level.refutation, shown);
         });
}

/// Whether the operation at one end of a step is what the step says: a read of the version, or a
/// write of it. A list that was appended to unread builds on the version before.
bool names(const Index& index, TxnId txn, std::int32_t mop, bool is_read, KeyId key,
           ValueId version) {
  const History& history = index.history();
  const std::optional<Op> op = op_at(history.ops(txn), mop);
  if (!op || op->key() != key) {
    return false;
  }
  if (is_read && op->is_read()) {
    return version.is_none() || shows(history, *op, version);
  }
  return op->is_write() && ((is_read && index.list_append()) || op->value() == version);
}

Flaw check_operations(const Index& index, const Step& step, bool may_show_later) {
  const bool is_of_commits = step.relation == Relation::kWw && step.key.is_none();
  if (!is_item(step.relation) || is_of_commits) {
    return {};
  }
  const bool is_wr = step.relation == Relation::kWr;
  // With versions of keys in session or real-time order, a transaction that read after a reader of
  // a version saw that version or a later one.
  const ValueId shown = may_show_later ? ValueId::none() : step.value;
  const bool from_fits =
      names(index, step.from, step.from_mop, step.relation == Relation::kRw, step.key, step.value);
  const bool to_fits =
      names(index, step.to, step.to_mop, is_wr, step.key, is_wr ? shown : step.value_after);
  if (from_fits && to_fits) {
    return {};
  }
  return txn_text(index.history(), from_fits ? step.to : step.from) +
         " does not do what the step says in the operation named";
}

}  // namespace

Flaw check_inferred(const Index& index, AnomalyType type, const CycleEvidence& evidence,
                    std::span<const LevelAnswer> levels) {
  std::vector<ProvedChoice> proof = evidence.because;
  proof.push_back({{}, evidence.steps});
  std::vector<std::vector<Step>> cycles;
  for (const ProvedChoice& proved : proof) {
    for (const Step& step : proved.steps) {
      if (!index.has(step.from) || !index.has(step.to)) {
        return "a step names a transaction that does not exist";
      }
      if (Flaw flaw = check_operations(index, step, index.orders_keys())) {
        return flaw;
      }
    }
    if (!proved.steps.empty()) {
      cycles.push_back(proved.steps);
    }
  }
  if (!is_proof(levels, proof)) {
    return "no proof ends with this cycle";
  }
  const AnomalyType actual = class_of(cycles);
  if (is_named_by_shape(type, levels, proof)) {
    return {};
  }
  return actual == type ? Flaw() : "the cycles of the proof make it " + std::string(name(actual));
}

Flaw check_inferred(const Index& index, AnomalyType type, const CycleExistsEvidence& evidence,
                    std::span<const LevelAnswer> levels) {
  const bool is_about_model = std::ranges::any_of(levels, [&](const LevelAnswer& level) {
    const bool is_implied = all_implied(ModelSet{evidence.model}).test(level.model);
    const bool asks_the_same = order_level(evidence.model) == order_level(level.model);
    return level.refutation && (is_implied || asks_the_same);
  });
  if (!is_about_model || name(type).find("cycle-exists") == std::string_view::npos) {
    return "no proof says that the level's graph has a cycle";
  }
  for (const ProvedChoice& proved : evidence.because) {
    for (const Step& step : proved.steps) {
      if (Flaw flaw = check_operations(index, step, index.orders_keys())) {
        return flaw;
      }
    }
  }
  return is_proof(levels, evidence.because) ? Flaw() : "it is not the proof of the level's answer";
}

}  // namespace elapid::certify
