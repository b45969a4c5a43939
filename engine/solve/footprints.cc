#include "engine/solve/footprints.h"

#include <algorithm>
#include <utility>

namespace elapid {

ExpectedRead Footprints::expected_list(const History& history, TxnId txn, std::uint32_t mop) {
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
      const std::span<const ValueId> shown = list(history, op);
      expected = {.kind = op.kind() == OpKind::kReadList ? ExpectedRead::Kind::kList
                                                         : ExpectedRead::Kind::kScalar,
                  .elements = std::vector(shown.begin(), shown.end())};
    }
  }
  return expected;
}

/// Walks one transaction after the other.
class Footprints::Reader {
 public:
  Reader(const History& history, Footprints& out)
      : history_(history),
        is_list_(history.has_lists()),
        out_(out),
        entry_of_(history.key_count(), Touch::kNoMop),
        own_(is_list_ ? history.key_count() : 0) {}

  void read(TxnId txn) {
    begin_ = out_.begin_.back();
    contradicts_ = false;
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const Op op = ops[mop];
      if (op.kind() == OpKind::kOther) {
        continue;
      }
      Touch& touch = touch_of(op.key());
      if (is_list_) {
        list_op(txn, mop, op, touch);
      } else {
        register_op(txn, mop, op, touch);
      }
    }
    out_.contradictory_[txn.index()] = contradicts_;
  }

 private:
  Touch& touch_of(KeyId key) {
    std::uint32_t& entry = entry_of_[key.index()];
    if (entry == Touch::kNoMop || entry < begin_) {
      entry = static_cast<std::uint32_t>(out_.touches_.size());
      out_.touches_.push_back({.key = key});
      if (is_list_) {
        own_[key.index()].clear();
      }
    }
    return out_.touches_[entry];
  }

  void contradiction(TxnId txn, std::uint32_t mop, ExpectedRead expected) {
    if (!contradicts_) {
      contradicts_ = true;
      out_.internal_.push_back(
          {AnomalyType::kInternal, InternalEvidence{txn, mop, std::move(expected)}});
    }
  }

  void register_op(TxnId txn, std::uint32_t mop, Op op, Touch& touch) {
    if (op.kind() == OpKind::kWrite) {
      touch.write = op.value();
      return;
    }
    if (op.value().is_nil() && !history_.committed(txn)) {
      return;  // not known
    }
    const bool has_own = !touch.write.is_none();
    if (!has_own && touch.read_mop == Touch::kNoMop) {
      touch.read = op.value();
      touch.read_mop = mop;
      return;
    }
    const ValueId expected = has_own ? touch.write : touch.read;
    if (op.value() == expected) {
      return;
    }
    if (both_initial(op.value(), expected, has_own)) {
      touch.is_unwritten = true;
      touch.read = op.value();
    } else {
      contradiction(txn, mop, {.scalar = expected});
    }
  }

  /// nil and the format's initial value are two names of one state.
  [[nodiscard]] bool both_initial(ValueId a, ValueId b, bool has_own) const {
    const auto is_initial = [&](ValueId v) { return v.is_nil() || v == history_.info().initial; };
    return !has_own && is_initial(a) && is_initial(b);
  }

  void list_op(TxnId txn, std::uint32_t mop, Op op, Touch& touch) {
    std::vector<ValueId>& own = own_[op.key().index()];
    if (op.kind() == OpKind::kAppend) {
      own.push_back(op.value());
      touch.write = op.value();
      return;
    }
    if (op.kind() == OpKind::kRead && !op.value().is_nil()) {
      out_.has_odd_reads_ = true;
      return;
    }
    if (op.kind() != OpKind::kReadList && !history_.committed(txn)) {
      return;  // a read that was never answered
    }
    const std::span<const ValueId> seen = list(history_, op);
    const bool ends_in_own =
        seen.size() >= own.size() && std::equal(own.rbegin(), own.rend(), seen.rbegin());
    const auto length = static_cast<std::uint32_t>(seen.size() - (ends_in_own ? own.size() : 0));
    if (!ends_in_own) {
      contradiction(txn, mop, expected_list(history_, txn, mop));
    } else if (touch.read_mop == Touch::kNoMop) {
      touch.read = length == 0 ? ValueId::nil() : seen[length - 1];
      touch.read_mop = mop;
      touch.external_length = length;
      touch.is_unwritten = length == 0;
    } else {
      compare_with_first(txn, mop, seen.first(length), touch);
    }
  }

  void compare_with_first(TxnId txn, std::uint32_t mop, std::span<const ValueId> external,
                          const Touch& touch) {
    const Op first = history_.ops(txn)[touch.read_mop];
    const std::span<const ValueId> before = list(history_, first).first(touch.external_length);
    if (!std::ranges::equal(external, before)) {
      contradiction(txn, mop, expected_list(history_, txn, mop));
    }
  }

  const History& history_;
  bool is_list_;
  Footprints& out_;
  std::vector<std::uint32_t> entry_of_;    // by key, into touches_, of the current transaction
  std::vector<std::vector<ValueId>> own_;  // by key: appends of the current transaction
  std::size_t begin_ = 0;
  bool contradicts_ = false;
};

Footprints::Footprints(const History& history) : contradictory_(history.txn_count(), false) {
  begin_.reserve(history.txn_count() + 1);
  Reader reader(history, *this);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.status({t}) != TxnStatus::kAborted) {
      reader.read({t});
    }
    begin_.push_back(static_cast<std::uint32_t>(touches_.size()));
  }
}

Footprints::Footprints(const History& history, std::span<const TxnId> txns)
    : contradictory_(history.txn_count(), false) {
  begin_.reserve(history.txn_count() + 1);
  Reader reader(history, *this);
  for (const TxnId txn : txns) {
    begin_.resize(txn.index() + 1, static_cast<std::uint32_t>(touches_.size()));
    if (history.status(txn) != TxnStatus::kAborted) {
      reader.read(txn);
    }
    begin_.push_back(static_cast<std::uint32_t>(touches_.size()));
  }
  begin_.resize(history.txn_count() + 1, static_cast<std::uint32_t>(touches_.size()));
}

}  // namespace elapid
