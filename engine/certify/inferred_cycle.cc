#include <algorithm>
#include <span>

#include "engine/certify/evidence.h"
#include "engine/certify/operations.h"

namespace elapid::certify {

namespace {

bool is_item(Relation relation) {
  return relation != Relation::kProcess && relation != Relation::kRealtime;
}

bool says_the_same(const Step& step, const OrderEdge& edge) {
  return step.from == edge.from && step.to == edge.to && step.relation == edge.relation &&
         (!is_item(step.relation) || step.key == edge.key);
}

/// Whether a refutation ends with these steps as its cycle.
bool ends_with(const LevelAnswer& level, std::span<const Step> steps) {
  if (!level.refutation || level.refutation->steps.empty()) {
    return false;
  }
  const std::vector<OrderEdge>& cycle = level.refutation->steps.back().cycle;
  return std::equal(steps.begin(), steps.end(), cycle.begin(), cycle.end(), says_the_same);
}

/// Whether the operation at one end of a step is what the step says: a read of the version, or a
/// write of it. A list that was appended to unread builds on the version before.
bool names(const Index& index, TxnId txn, std::int32_t mop, bool is_read, KeyId key,
           ValueId version) {
  const History& history = index.history();
  const auto invoked = history.committed(txn) ? std::nullopt : history.differing_invocation(txn);
  const std::optional<Op> op = op_at(invoked ? *invoked : history.ops(txn), mop);
  if (!op || op->key() != key) {
    return false;
  }
  if (is_read && op->is_read()) {
    const ValueId seen = last_seen(history, *op, index.list_append());
    return seen == version || version.is_none();
  }
  return op->is_write() && ((is_read && index.list_append()) || op->value() == version);
}

Flaw check_operations(const Index& index, const Step& step) {
  if (!is_item(step.relation)) {
    return {};
  }
  const bool is_wr = step.relation == Relation::kWr;
  const bool from_fits =
      names(index, step.from, step.from_mop, step.relation == Relation::kRw, step.key, step.value);
  const bool to_fits =
      names(index, step.to, step.to_mop, is_wr, step.key, is_wr ? step.value : step.value_after);
  if (from_fits && to_fits) {
    return {};
  }
  return txn_text(index.history(), from_fits ? step.to : step.from) +
         " does not do what the step says in the operation named";
}

}  // namespace

Flaw check_inferred(const Index& index, const CycleEvidence& evidence,
                    std::span<const LevelAnswer> levels) {
  for (const Step& step : evidence.steps) {
    if (!index.has(step.from) || !index.has(step.to)) {
      return "a step names a transaction that is not there";
    }
    if (Flaw flaw = check_operations(index, step)) {
      return flaw;
    }
  }
  const bool is_proved = std::ranges::any_of(
      levels, [&](const LevelAnswer& level) { return ends_with(level, evidence.steps); });
  return is_proved ? Flaw() : "no proof ends with this cycle";
}

}  // namespace elapid::certify
