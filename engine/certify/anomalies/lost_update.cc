#include <algorithm>
#include <span>
#include <vector>

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/operations/operations.h"

namespace elapid::certify {

namespace {

/// Whether two reads of one key show the same version. Of lists nil and the empty list are both the
/// initial one, of registers nil and the initial value.
bool is_same_version(const History& history, Op a, Op b) {
  if (a == b) {
    return true;
  }
  const auto elements = [&history](Op read) {
    return read.kind() == OpKind::kReadList ? history.elements(read) : std::span<const ValueId>();
  };
  const auto is_initial_value = [&history](Op read) {
    return read.kind() == OpKind::kRead && history.is_initial(read.value());
  };
  if (is_initial_value(a) && is_initial_value(b)) {
    return true;
  }
  const auto is_list_or_nil = [](Op read) {
    return read.kind() == OpKind::kReadList || read.value().is_nil();
  };
  return is_list_or_nil(a) && is_list_or_nil(b) && std::ranges::equal(elements(a), elements(b));
}

/// Whether these operations read this version of its key before they write the key.
bool updates(const History& history, std::span<const Op> ops, Op version) {
  bool has_read = false;
  for (const Op op : ops) {
    if (op.key() != version.key()) {
      continue;
    }
    if (op.is_write()) {
      return has_read;
    }
    has_read = has_read || (op.is_read() && is_same_version(history, op, version));
  }
  return false;
}

}  // namespace

Flaw check(const Index& index, AnomalyType type, const LostUpdateEvidence& evidence) {
  const History& history = index.history();
  if (type != AnomalyType::kLostUpdate) {
    return "updates of one version are no evidence of " + std::string(name(type));
  }
  std::vector<TxnId> txns = evidence.txns;
  std::ranges::sort(txns);
  if (txns.size() < 2 || std::ranges::adjacent_find(txns) != txns.end()) {
    return "a lost update needs two different transactions";
  }
  if (!std::ranges::all_of(txns, [&](TxnId txn) { return index.has_committed(txn); })) {
    return "not all transactions named committed";
  }
  const std::optional<Op> version = op_at(history.ops(evidence.txns.front()), evidence.mop);
  if (!version || !version->is_read() || version->key() != evidence.key) {
    return "the operation named is no read of the key";
  }
  if (!index.list_append() && version->kind() == OpKind::kRead &&
      index.registers().is_ambiguous(evidence.key, version->value())) {
    return "what was read of key " + history.shown_key(evidence.key) + " may be several versions";
  }
  for (const TxnId txn : evidence.txns) {
    if (!updates(history, history.ops(txn), *version)) {
      return txn_text(history, txn) + " did not read this version of key " +
             history.shown_key(evidence.key) + " and then write the key";
    }
  }
  return {};
}

}  // namespace elapid::certify
