#include "engine/saturate/txn_reader.h"

#include <algorithm>
#include <utility>

#include "engine/solve/footprints.h"

namespace elapid {

TxnReader::TxnReader(const History& history, ReadRules rules)
    : history_(history),
      is_list_(history.has_lists()),
      rules_(rules),
      states_(history.key_count()),
      own_(is_list_ ? history.key_count() : 0) {}

void TxnReader::read(TxnId txn) {
  reads_.clear();
  writes_.clear();
  tolerated_.clear();
  contradiction_.reset();
  const std::span<const Op> ops = history_.ops(txn);
  for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
    const Op op = ops[mop];
    if (op.kind() == OpKind::kOther) {
      continue;
    }
    KeyState& state = state_of(txn, op.key());
    if (op.is_write()) {
      write(op, state);
    } else if (is_list_) {
      read_list(txn, mop, op, state);
    } else {
      read_register(txn, mop, op, state);
    }
  }
}

TxnReader::KeyState& TxnReader::state_of(TxnId txn, KeyId key) {
  KeyState& state = states_[key.index()];
  // The same transaction may be read a second time.
  const bool is_known =
      state.txn == txn && ((state.write < writes_.size() && writes_[state.write].key == key) ||
                           (state.read < reads_.size() && reads_[state.read].key == key));
  if (!is_known) {
    state = {.txn = txn};
    if (is_list_) {
      own_[key.index()].clear();
    }
  }
  return state;
}

void TxnReader::write(Op op, KeyState& state) {
  if (state.write == kNothing) {
    state.write = static_cast<std::uint32_t>(writes_.size());
    writes_.push_back({op.key(), op.value()});
  } else {
    writes_[state.write].value = op.value();
  }
  if (is_list_) {
    own_[op.key().index()].push_back(op.value());
  }
}

void TxnReader::read_register(TxnId txn, std::uint32_t mop, Op op, KeyState& state) {
  if (op.value().is_nil() && !history_.committed(txn)) {
    return;  // the result is unknown
  }
  if (state.write != kNothing) {
    if (op.value() != writes_[state.write].value) {
      contradict(txn, mop, {.scalar = writes_[state.write].value});
    }
    return;
  }
  if (rules_.repeatable && state.read != kNothing) {
    const ValueId before = reads_[state.read].value;
    const bool has_two_names = is_initial(op.value()) && is_initial(before);
    if (op.value() != before && !has_two_names) {
      contradict(txn, mop, {.scalar = before});
    } else if (op.value() != before) {
      reads_[state.read].is_unwritten = true;
      reads_[state.read].value = op.value();
    }
    return;
  }
  state.read = static_cast<std::uint32_t>(reads_.size());
  reads_.push_back({mop, op.key(), op.value()});
}

void TxnReader::read_list(TxnId txn, std::uint32_t mop, Op op, KeyState& state) {
  if (op.kind() == OpKind::kRead && !op.value().is_nil()) {
    has_odd_reads_ = true;
    return;
  }
  if (op.kind() != OpKind::kReadList && !history_.committed(txn)) {
    return;  // the result is unknown
  }
  const std::vector<ValueId>& own = own_[op.key().index()];
  const std::span<const ValueId> seen = Footprints::list(history_, op);
  if (seen.size() < own.size() || !std::equal(own.rbegin(), own.rend(), seen.rbegin())) {
    contradict(txn, mop, Footprints::expected_list(history_, txn, mop));
    return;
  }
  const std::span<const ValueId> external = seen.first(seen.size() - own.size());
  if (rules_.repeatable && state.read != kNothing) {
    if (!std::ranges::equal(external, list_before(txn, state))) {
      contradict(txn, mop, Footprints::expected_list(history_, txn, mop));
    }
    return;
  }
  state.read = static_cast<std::uint32_t>(reads_.size());
  reads_.push_back({.mop = mop,
                    .key = op.key(),
                    .value = external.empty() ? ValueId::none() : external.back(),
                    .length = static_cast<std::uint32_t>(external.size())});
}

/// What the transaction's earlier read of the key showed, without the transaction's own elements.
std::span<const ValueId> TxnReader::list_before(TxnId txn, const KeyState& state) const {
  const Read& read = reads_[state.read];
  return Footprints::list(history_, history_.ops(txn)[read.mop]).first(read.length);
}

void TxnReader::contradict(TxnId txn, std::uint32_t mop, ExpectedRead expected) {
  if (!rules_.own_writes) {
    tolerated_.push_back(mop);
  } else if (!contradiction_) {
    contradiction_ = InternalEvidence{txn, mop, std::move(expected)};
  }
}

}  // namespace elapid
