#include "engine/solve/mix_reads.h"

#include <algorithm>
#include <utility>

#include "engine/solve/bad_reads.h"
#include "engine/solve/footprints.h"

namespace elapid {

/// Walks one transaction after the other.
class MixReads::Reader {
 public:
  Reader(const History& history, const TxnLevels& levels, MixReads& out)
      : history_(history),
        levels_(levels),
        out_(out),
        is_list_(history.has_lists()),
        own_(history.key_count()),
        first_(history.key_count(), kNone) {}

  void read(TxnId txn) {
    txn_ = txn;
    level_ = levels_.of(txn);
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].is_write()) {
        touch(ops[mop].key());
        own_[ops[mop].key().index()].push_back(ops[mop].value());
      } else if (ops[mop].is_read() && !levels_.reads_anything(txn)) {
        touch(ops[mop].key());
        read_one(mop, ops[mop]);
      }
    }
    for (const KeyId key : std::exchange(touched_, {})) {
      own_[key.index()].clear();
      first_[key.index()] = kNone;
    }
  }

  void finish() {
    std::vector<BadRead> bad = impossible_reads(history_, is_list_, unminded_);
    std::erase_if(bad, [this](const BadRead& read) {
      if (levels_.reads_anything(read.reader)) {
        return true;
      }
      const bool is_open = !history_.committed(read.reader);
      out_.is_contradictory_[read.reader.index()] =
          out_.is_contradictory_[read.reader.index()] || is_open;
      return is_open;
    });
    bad.insert(bad.end(), future_.begin(), future_.end());
    out_.has_unnamed_ = !explain_bad_reads(history_, is_list_, bad, out_.anomalies_);
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void touch(KeyId key) { touched_.push_back(key); }

  void read_one(std::uint32_t mop, Op op) {
    if (!history_.committed(txn_) && op.kind() != OpKind::kReadList && op.value().is_nil()) {
      return;  // not known
    }
    if (is_list_ && op.kind() == OpKind::kRead && !op.value().is_nil()) {
      out_.has_odd_reads_ = true;
      return;
    }
    const std::vector<ValueId>& own = own_[op.key().index()];
    OthersRead read = {.mop = mop, .key = op.key()};
    if (is_list_) {
      const std::span<const ValueId> list = Footprints::list(history_, op);
      if (list.size() < own.size() || !std::equal(own.rbegin(), own.rend(), list.rbegin())) {
        differs_from_own(mop);
        return;
      }
      read.length = static_cast<std::uint32_t>(list.size() - own.size());
      read.seen = read.length == 0 ? ValueId::none() : list[read.length - 1];
    } else if (!own.empty()) {
      if (own.back() != op.value()) {
        differs_from_own(mop);
      }
      return;
    } else {
      read.seen = op.value();
    }
    add(read, op);
  }

  void differs_from_own(std::uint32_t mop) {
    if (reads_own_writes(level_)) {
      const ExpectedRead scalar = {.scalar =
                                       own_[history_.ops(txn_)[mop].key().index()].empty()
                                           ? ValueId::none()
                                           : own_[history_.ops(txn_)[mop].key().index()].back()};
      contradict(mop, is_list_ ? Footprints::expected_list(history_, txn_, mop) : scalar);
    } else {
      unminded_.push_back({txn_, mop});
    }
  }

  void contradict(std::uint32_t mop, ExpectedRead expected) {
    if (!out_.is_contradictory_[txn_.index()] && history_.committed(txn_)) {
      out_.anomalies_.push_back(
          {AnomalyType::kInternal, InternalEvidence{txn_, mop, std::move(expected)}});
    }
    out_.is_contradictory_[txn_.index()] = true;
  }

  void add(const OthersRead& read, Op op) {
    std::uint32_t& first = first_[read.key.index()];
    const bool agrees_with_first =
        reads_one_state(level_) || (level_.visibility == Visibility::kCursor && writes(read.key));
    if (first != kNone && agrees_with_first) {
      compare(out_.reads_[first], read, op);
      return;
    }
    first = first == kNone ? out_.count() : first;
    if (history_.committed(txn_) && is_written_later(read)) {
      future_.push_back({txn_, read.mop, read.key, read.seen});
    }
    out_.reads_.push_back(read);
  }

  [[nodiscard]] bool writes(KeyId key) const {
    return std::ranges::any_of(history_.ops(txn_),
                               [&](Op op) { return op.is_write() && op.key() == key; });
  }

  void compare(const OthersRead& first, const OthersRead& read, Op op) {
    if (is_list_) {
      const Op before = history_.ops(txn_)[first.mop];
      if (!std::ranges::equal(Footprints::list(history_, before).first(first.length),
                              Footprints::list(history_, op).first(read.length))) {
        contradict(read.mop, Footprints::expected_list(history_, txn_, read.mop));
      }
      return;
    }
    const auto is_initial = [&](ValueId v) { return v.is_nil() || v == history_.info().initial; };
    if (first.seen != read.seen && !(is_initial(first.seen) && is_initial(read.seen))) {
      contradict(read.mop, {.scalar = first.seen});
    }
  }

  /// Whether the reader writes the value later, and no other transaction may have written it.
  [[nodiscard]] bool is_written_later(const OthersRead& read) const {
    const auto writes_it = [&](Op op) {
      return op.is_write() && op.key() == read.key && op.value() == read.seen;
    };
    if (std::ranges::none_of(history_.ops(txn_).subspan(read.mop), writes_it)) {
      return false;
    }
    for (TxnId other{0}; other.index() < history_.txn_count(); ++other.value) {
      if (other != txn_ && history_.status(other) != TxnStatus::kAborted &&
          std::ranges::any_of(history_.ops(other), writes_it)) {
        return false;
      }
    }
    return true;
  }

  const History& history_;
  const TxnLevels& levels_;
  MixReads& out_;
  bool is_list_;
  TxnId txn_;  // the current transaction; level_ is its level
  OrderLevel level_;
  std::vector<std::vector<ValueId>> own_;  // by key: what it wrote so far
  std::vector<std::uint32_t> first_;       // by key: its first read
  std::vector<KeyId> touched_;
  std::vector<ReadAt> unminded_;
  std::vector<BadRead> future_;
};

MixReads::MixReads(const History& history, const TxnLevels& levels)
    : is_contradictory_(history.txn_count(), false) {
  begin_.reserve(history.txn_count() + 1);
  Reader reader(history, levels, *this);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      reader.read(txn);
    }
    begin_.push_back(count());
  }
  reader.finish();
}

}  // namespace elapid
