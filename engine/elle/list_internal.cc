// internal (docs/elle-rules.md): the transaction's knowledge of a list, read by read.
#include <algorithm>
#include <span>

#include "engine/elle/list_anomalies.h"

namespace elapid::elle {

namespace {

/// What the transaction at hand must read of a key: the list that it last read, if any, and its own
/// appends since then.
struct Expected {
  TxnId txn;
  std::optional<Op> read;
  std::vector<ValueId> appended;
};

std::span<const ValueId> elements_of(const History& history, Op read) {
  return read.kind() == OpKind::kReadList ? history.elements(read) : std::span<const ValueId>();
}

bool ends_in(std::span<const ValueId> elements, std::span<const ValueId> suffix) {
  return elements.size() >= suffix.size() &&
         std::ranges::equal(elements.last(suffix.size()), suffix);
}

/// Whether the two lists, of one key, are the same; lists of its trunk without comparing them.
bool is_same_list(const History& history, Op a, Op b, std::size_t length) {
  const bool are_prefixes = a.kind() == OpKind::kReadList && b.kind() == OpKind::kReadList &&
                            a.list().is_prefix() && b.list().is_prefix();
  const auto first = [&](Op read) { return elements_of(history, read).first(length); };
  return are_prefixes || std::ranges::equal(first(a), first(b));
}

bool agrees(const History& history, const Expected& expected, Op read) {
  const std::span<const ValueId> seen = elements_of(history, read);
  if (!ends_in(seen, expected.appended)) {
    return false;
  }
  if (!expected.read) {
    return true;
  }
  const std::size_t before = elements_of(history, *expected.read).size();
  if (expected.appended.empty() && expected.read->kind() != read.kind()) {
    return false;  // nil is not the empty list
  }
  return seen.size() == before + expected.appended.size() &&
         is_same_list(history, *expected.read, read, before);
}

ExpectedRead to_evidence(const History& history, const Expected& expected) {
  using Kind = ExpectedRead::Kind;
  if (expected.read && expected.read->kind() == OpKind::kRead && expected.appended.empty()) {
    return {.kind = Kind::kScalar};  // nil
  }
  ExpectedRead evidence{.kind = expected.read ? Kind::kList : Kind::kSuffix};
  if (expected.read) {
    const std::span<const ValueId> before = elements_of(history, *expected.read);
    evidence.elements.assign(before.begin(), before.end());
  }
  evidence.elements.insert(evidence.elements.end(), expected.appended.begin(),
                           expected.appended.end());
  return evidence;
}

}  // namespace

void find_list_internal(const History& history, std::vector<Anomaly>& out) {
  std::vector<Expected> expected(history.key_count());  // by key
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const std::span<const Op> ops =
        history.committed({t}) ? history.ops({t}) : std::span<const Op>();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      Expected& of_key = expected[ops[mop].key().index()];
      const bool is_known = of_key.txn == TxnId{t};
      if (ops[mop].kind() == OpKind::kAppend) {
        if (!is_known) {
          of_key = {{t}, std::nullopt, {}};
        }
        of_key.appended.push_back(ops[mop].value());
      } else if (is_known && !agrees(history, of_key, ops[mop])) {
        out.push_back(
            {AnomalyType::kInternal, InternalEvidence{{t}, mop, to_evidence(history, of_key)}});
        break;
      } else {
        of_key = {{t}, ops[mop], {}};
      }
    }
  }
}

}  // namespace elapid::elle
