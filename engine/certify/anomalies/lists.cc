#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/others_elements.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

namespace {

/// The list that an operation of a transaction not aborted was answered with, or nothing.
std::optional<std::span<const ValueId>> list_read(const Index& index, EventRef reader,
                                                  std::uint32_t mop, KeyId key) {
  const History& history = index.history();
  if (!index.has(reader.txn) || history.status(reader.txn) == TxnStatus::kAborted) {
    return std::nullopt;
  }
  const std::optional<Op> op = op_at(event_ops(history, reader), mop);
  if (!op || op->kind() != OpKind::kReadList || op->key() != key ||
      !is_answered(history, reader.txn, *op)) {
    return std::nullopt;
  }
  return history.elements(*op);
}

/// What such an operation of a transaction that took effect shows of others, or nothing.
std::optional<std::span<const ValueId>> version_read(const Index& index, EventRef reader,
                                                     std::uint32_t mop, KeyId key) {
  if (!list_read(index, reader, mop, key) || reader.kind != EventKind::kCompletion ||
      !index.trusted(reader.txn)) {
    return std::nullopt;
  }
  return others_elements(index.history(), reader.txn, mop, index.elle_compat());
}

/// The elements that occur more than once, with how often, in their own order.
std::vector<std::pair<ValueId, std::uint32_t>> repeated_elements(std::span<const ValueId> list) {
  std::vector<ValueId> sorted(list.begin(), list.end());
  std::ranges::sort(sorted);
  std::vector<std::pair<ValueId, std::uint32_t>> counts;
  for (auto run = sorted.begin(); run != sorted.end();) {
    const auto end = std::upper_bound(run, sorted.end(), *run);
    if (end - run > 1) {
      counts.emplace_back(*run, static_cast<std::uint32_t>(end - run));
    }
    run = end;
  }
  return counts;
}

/// How often transactions that may have taken effect appended the element.
std::size_t times_appended(const Index& index, KeyId key, ValueId element) {
  const History& history = index.history();
  std::size_t times = 0;
  for (const Write& write : index.writers().of(key, element)) {
    if (history.status(write.txn) != TxnStatus::kAborted) {
      times += static_cast<std::size_t>(
          std::ranges::count(history.ops(write.txn), Op(OpKind::kAppend, key, element)));
    }
  }
  return times;
}

bool is_prefix(std::span<const ValueId> shorter, std::span<const ValueId> longer) {
  return shorter.size() <= longer.size() &&
         std::ranges::equal(shorter, longer.first(shorter.size()));
}

bool any_committed(const History& history, std::span<const Write> writes) {
  return std::ranges::any_of(writes,
                             [&](const Write& write) { return history.committed(write.txn); });
}

/// The versions between the aborted and the committed one: lists show them in this order, and no
/// committed transaction wrote any of them.
Flaw check_versions_between(const Index& index, const DirtyUpdateEvidence& evidence) {
  const History& history = index.history();
  for (std::size_t i = 1; i < evidence.values.size(); ++i) {
    const ValueId element = evidence.values[i];
    if (!index.all_lists().adjacent(evidence.key, evidence.values[i - 1], element)) {
      return "no list shows " + history.shown_text(element) + " directly behind " +
             history.shown_text(evidence.values[i - 1]);
    }
    const std::span<const Write> writes = index.writers().of(evidence.key, element);
    const bool is_last = i + 1 == evidence.values.size();
    if (!is_last && (writes.empty() || any_committed(history, writes))) {
      return history.shown_text(element) +
             " was not written by a transaction that may have aborted";
    }
  }
  return {};
}

}  // namespace

Flaw check(const Index& index, AnomalyType type, const DuplicateElementsEvidence& evidence) {
  const History& history = index.history();
  if (type != AnomalyType::kDuplicateElements) {
    return "repeated elements are no evidence of " + std::string(name(type));
  }
  if (!index.has(evidence.txn)) {
    return "there is no such transaction";
  }
  const std::optional<Op> op = op_at(history.ops(evidence.txn), evidence.mop);
  const auto list = list_read(index, {evidence.txn}, evidence.mop, op ? op->key() : KeyId::none());
  if (!list) {
    return txn_text(history, evidence.txn) + " does not read a list in the operation named";
  }
  auto claimed = evidence.counts;
  std::ranges::sort(claimed);
  if (claimed.empty() || claimed != repeated_elements(*list)) {
    return "the elements claimed are not those that the list repeats";
  }
  const bool is_repetition = std::ranges::any_of(claimed, [&](const auto& count) {
    return count.second > times_appended(index, op->key(), count.first);
  });
  if (!is_repetition && !index.elle_compat()) {
    return "no element is shown more often than it was appended";
  }
  if (!index.elle_compat() && (!index.trusted(evidence.txn) ||
                               !others_elements(history, evidence.txn, evidence.mop, false))) {
    return "the read says nothing of what was there";
  }
  return {};
}

Flaw check(const Index& index, AnomalyType type, const IncompatibleOrderEvidence& evidence) {
  if (type != AnomalyType::kIncompatibleOrder) {
    return "two reads that disagree are no evidence of " + std::string(name(type));
  }
  const auto first = version_read(index, evidence.first_reader, evidence.first_mop, evidence.key);
  const auto second =
      version_read(index, evidence.second_reader, evidence.second_mop, evidence.key);
  if (!first || !second) {
    return "an operation named does not show what others appended to the key";
  }
  if (is_prefix(*first, *second) || is_prefix(*second, *first)) {
    return "one of the lists is a prefix of the other";
  }
  return {};
}

Flaw check(const Index& index, AnomalyType type, const DirtyUpdateEvidence& evidence) {
  const History& history = index.history();
  if (type != AnomalyType::kDirtyUpdate) {
    return "a version built on an aborted one is no evidence of " + std::string(name(type));
  }
  if (!index.has(evidence.key) || evidence.values.size() < 2) {
    return "a dirty update needs a key and two versions of it";
  }
  if (!index.has(evidence.aborted) || history.status(evidence.aborted) != TxnStatus::kAborted ||
      !index.has_committed(evidence.committed)) {
    return "the transactions named are not an aborted and a committed one";
  }
  const std::pair<TxnId, ValueId> ends[] = {{evidence.aborted, evidence.values.front()},
                                            {evidence.committed, evidence.values.back()}};
  for (const auto& [txn, element] : ends) {
    if (!index.writers().wrote(txn, evidence.key, element) ||
        index.writers().another(txn, evidence.key, element)) {
      return txn_text(history, txn) + " is not the only one to append " +
             version_text(history, element);
    }
  }
  return check_versions_between(index, evidence);
}

}  // namespace elapid::certify
