#include "engine/solve/txn_reader.h"

#include <algorithm>
#include <utility>

namespace elapid {

namespace {

/// The list that a transaction should read: its earlier read and its appends since, or its appends
/// alone.
ExpectedRead expected_list(const History& history, TxnId txn, std::uint32_t mop) {
  const std::span<const Op> ops = history.ops(txn);
  ExpectedRead expected = {.kind = ExpectedRead::Kind::kSuffix};
  for (const Op op : ops.first(mop)) {
    if (op.key() != ops[mop].key()) {
      continue;
    }
    if (op.kind() == OpKind::kAppend) {
      expected.elements.push_back(op.value());
      expected.kind =
          expected.kind == ExpectedRead::Kind::kScalar ? ExpectedRead::Kind::kList : expected.kind;
    } else {
      const std::span<const ValueId> shown = shown_list(history, op);
      expected = {.kind = op.kind() == OpKind::kReadList ? ExpectedRead::Kind::kList
                                                         : ExpectedRead::Kind::kScalar,
                  .elements = std::vector(shown.begin(), shown.end())};
    }
  }
  return expected;
}

}  // namespace

TxnReader::TxnReader(const History& history)
    : history_(history),
      is_list_(history.has_lists()),
      entry_of_(history.key_count(), kNothing),
      own_(is_list_ ? history.key_count() : 0) {}

void TxnReader::read(TxnId txn, ReadRules rules) {
  txn_ = txn;
  rules_ = rules;
  reads_.clear();
  touched_.clear();
  tolerated_.clear();
  contradiction_.reset();
  const std::span<const Op> ops = history_.ops(txn);
  for (const Op op : rules.repeatable_if_written ? ops : std::span<const Op>()) {
    if (op.is_write()) {
      touch(op.key()).is_repeatable = true;
    }
  }
  for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
    const Op op = ops[mop];
    if (op.kind() == OpKind::kOther) {
      continue;
    }
    Touched& touched = touch(op.key());
    if (op.is_write()) {
      touched.write = op.value();
      if (is_list_) {
        own_[op.key().index()].push_back(op.value());
      }
    } else if (is_list_) {
      read_list(mop, op, touched);
    } else {
      read_register(mop, op, touched);
    }
  }
}

TxnReader::Touched& TxnReader::touch(KeyId key) {
  std::uint32_t& entry = entry_of_[key.index()];
  if (entry >= touched_.size() || touched_[entry].key != key) {
    entry = static_cast<std::uint32_t>(touched_.size());
    touched_.push_back({.key = key, .is_repeatable = rules_.repeatable});
    if (is_list_) {
      own_[key.index()].clear();
    }
  }
  return touched_[entry];
}

void TxnReader::read_register(std::uint32_t mop, Op op, Touched& touched) {
  if (op.value().is_nil() && !history_.committed(txn_)) {
    return;  // the result is unknown
  }
  if (!touched.write.is_none()) {
    if (op.value() != touched.write) {
      differ_from_own(mop, {.scalar = touched.write});
    }
    return;
  }
  if (!touched.is_repeatable || touched.read == kNothing) {
    touched.read = static_cast<std::uint32_t>(reads_.size());
    reads_.push_back({mop, op.key(), op.value()});
    return;
  }
  OthersRead& before = reads_[touched.read];
  if (op.value() == before.value) {
    return;
  }
  if (history_.is_initial(op.value()) && history_.is_initial(before.value)) {
    before.is_unwritten = true;
    before.value = op.value();
  } else {
    contradict(mop, {.scalar = before.value});
  }
}

void TxnReader::read_list(std::uint32_t mop, Op op, Touched& touched) {
  if (op.kind() == OpKind::kRead && !op.value().is_nil()) {
    has_odd_reads_ = true;
    return;
  }
  if (op.kind() != OpKind::kReadList && !history_.committed(txn_)) {
    return;  // the result is unknown
  }
  const std::vector<ValueId>& own = own_[op.key().index()];
  const std::span<const ValueId> seen = shown_list(history_, op);
  if (seen.size() < own.size() || !std::equal(own.rbegin(), own.rend(), seen.rbegin())) {
    differ_from_own(mop, expected_list(history_, txn_, mop));
    return;
  }
  const std::span<const ValueId> external = seen.first(seen.size() - own.size());
  if (!touched.is_repeatable || touched.read == kNothing) {
    touched.read = static_cast<std::uint32_t>(reads_.size());
    reads_.push_back({.mop = mop,
                      .key = op.key(),
                      .value = external.empty() ? ValueId::none() : external.back(),
                      .length = static_cast<std::uint32_t>(external.size())});
    return;
  }
  // What the earlier read showed, without the transaction's own elements.
  const OthersRead& before = reads_[touched.read];
  if (!std::ranges::equal(
          external, shown_list(history_, history_.ops(txn_)[before.mop]).first(before.length))) {
    contradict(mop, expected_list(history_, txn_, mop));
  }
}

void TxnReader::contradict(std::uint32_t mop, ExpectedRead expected) {
  if (!contradiction_) {
    contradiction_ = InternalEvidence{txn_, mop, std::move(expected)};
  }
}

void TxnReader::differ_from_own(std::uint32_t mop, ExpectedRead expected) {
  if (rules_.own_writes) {
    contradict(mop, std::move(expected));
  } else {
    tolerated_.push_back(mop);
  }
}

}  // namespace elapid
