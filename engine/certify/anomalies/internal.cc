#include <algorithm>
#include <span>

#include "engine/certify/anomalies/evidence.h"
#include "engine/certify/operations/operations.h"

namespace elapid::certify {

namespace {

/// What a read shows, as an expectation of the reads after it.
ExpectedRead as_expectation(const History& history, Op read) {
  if (read.kind() == OpKind::kRead) {
    return {.kind = ExpectedRead::Kind::kScalar, .scalar = read.value()};
  }
  const std::span<const ValueId> list = history.elements(read);
  return {.kind = ExpectedRead::Kind::kList, .elements = {list.begin(), list.end()}};
}

/// What is expected after the transaction appended `element` where it expected `before`.
ExpectedRead with_append(ExpectedRead before, ValueId element) {
  if (before.kind == ExpectedRead::Kind::kScalar) {
    before.kind = ExpectedRead::Kind::kList;
  }
  before.elements.push_back(element);
  return before;
}

/// What a read of `key` after `earlier` must show; nothing where they leave it open. Only the last
/// read and what is written after it count.
std::optional<ExpectedRead> expected_read(const History& history, std::span<const Op> earlier,
                                          KeyId key) {
  const auto last_read = std::find_if(earlier.rbegin(), earlier.rend(),
                                      [key](Op op) { return op.is_read() && op.key() == key; });
  std::optional<ExpectedRead> expected;
  if (last_read != earlier.rend()) {
    expected = as_expectation(history, *last_read);
  }
  for (auto op = last_read.base(); op != earlier.end(); ++op) {
    if (!op->is_write() || op->key() != key) {
      continue;
    }
    if (op->kind() == OpKind::kWrite) {
      expected = {.kind = ExpectedRead::Kind::kScalar, .scalar = op->value()};
    } else {
      expected = with_append(expected.value_or(ExpectedRead{.kind = ExpectedRead::Kind::kSuffix}),
                             op->value());
    }
  }
  return expected;
}

bool is_same(const ExpectedRead& a, const ExpectedRead& b) {
  return a.kind == b.kind && a.elements == b.elements &&
         (a.kind != ExpectedRead::Kind::kScalar || a.scalar == b.scalar);
}

/// Here nil and an empty list are different results, as to Elle.
bool agrees(const History& history, Op read, const ExpectedRead& expected) {
  if (read.kind() == OpKind::kRead) {
    return expected.kind == ExpectedRead::Kind::kScalar && read.value() == expected.scalar;
  }
  const std::span<const ValueId> list = history.elements(read);
  if (expected.kind == ExpectedRead::Kind::kList) {
    return std::ranges::equal(list, expected.elements);
  }
  return expected.kind == ExpectedRead::Kind::kSuffix && list.size() >= expected.elements.size() &&
         std::ranges::equal(list.last(expected.elements.size()), expected.elements);
}

/// Whether the read and what it should have shown are both the initial state, which has three
/// names: nil, the initial value or the empty list.
bool are_both_initial(const History& history, std::span<const Op> earlier, Op read,
                      const ExpectedRead& expected) {
  const bool is_written =
      std::ranges::any_of(earlier, [&](Op op) { return op.is_write() && op.key() == read.key(); });
  const bool is_read = read.kind() == OpKind::kReadList ? history.elements(read).empty()
                                                        : history.is_initial(read.value());
  const bool is_expected = expected.kind == ExpectedRead::Kind::kScalar
                               ? history.is_initial(expected.scalar)
                               : expected.elements.empty();
  return !is_written && is_read && is_expected;
}

}  // namespace

Flaw check(const Index& index, AnomalyType type, const InternalEvidence& evidence) {
  const History& history = index.history();
  if (type != AnomalyType::kInternal) {
    return "a transaction that contradicts itself is no evidence of " + std::string(name(type));
  }
  if (!index.has_committed(evidence.txn)) {
    return "the reader did not commit";
  }
  const std::span<const Op> ops = history.ops(evidence.txn);
  const std::optional<Op> read = op_at(ops, evidence.mop);
  if (!read || !read->is_read()) {
    return "the operation named is no read of " + txn_text(history, evidence.txn);
  }
  const auto expected = expected_read(history, ops.first(evidence.mop), read->key());
  if (!expected || !is_same(*expected, evidence.expected)) {
    return "what " + txn_text(history, evidence.txn) +
           " should have read does not follow from its operations";
  }
  const bool has_one_name = index.elle_compat();
  if (agrees(history, *read, *expected) ||
      (!has_one_name && are_both_initial(history, ops.first(evidence.mop), *read, *expected))) {
    return txn_text(history, evidence.txn) + " read what it should have";
  }
  return {};
}

}  // namespace elapid::certify
