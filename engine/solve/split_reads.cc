#include "engine/solve/split_reads.h"

#include <cassert>
#include <limits>
#include <span>
#include <utility>

#include "engine/ir/history_builder.h"
#include "engine/verdict/bound_versions.h"

namespace elapid {

namespace {

constexpr std::int64_t kEarliest = -1;
constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();

class Splitter {
 public:
  Splitter(const History& history, const TxnLevels& levels, const MixReads& reads,
           const MixVisibility& visibility)
      : history_(history), levels_(levels), reads_(reads), visibility_(visibility) {
    for (std::uint32_t k = 0; k < history.key_count(); ++k) {
      builder_.key(ValueId::integer(k));
    }
    builder_.reserve(history.op_count());
  }

  SplitHistory run() {
    const auto count = static_cast<std::uint32_t>(history_.txn_count());
    for (TxnId txn{0}; txn.value < count; ++txn.value) {
      const OrderLevel level = levels_.of(txn);
      const bool is_split = is_saturable(level.visibility);
      add_whole(txn, is_split);
      by_txn_.push_back(is_split ? serial(level) : level);
    }
    for (TxnId txn{0}; txn.value < count; ++txn.value) {
      if (is_saturable(levels_.of(txn).visibility) && visibility_.took_effect(txn)) {
        add_reads(txn);
      }
    }
    HistoryInfo info;
    info.workload = history_.workload();
    info.initial = renamed(history_.info().initial);
    info.initial_txn = history_.info().initial_txn;
    Result<History> built = std::move(builder_).build(std::move(info));
    assert(built);  // a part of a valid history is valid
    return {std::move(built).value(), TxnLevels(std::move(by_txn_)), std::move(split_),
            std::move(values_), std::move(kept_)};
  }

 private:
  static OrderLevel serial(OrderLevel level) {
    level.visibility = Visibility::kSerial;
    return level;
  }

  /// Whether the read stays with the commit.
  [[nodiscard]] bool stays(TxnId txn, const OthersRead& read) const {
    return levels_.of(txn).visibility == Visibility::kCursor && visibility_.writes(txn, read.key);
  }

  /// Adds the transaction: if it is split, its writes and the reads that stay.
  void add_whole(TxnId txn, bool is_split) {
    const std::span<const Op> ops = history_.ops(txn);
    auto read = reads_.of(txn).begin();
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      const bool is_listed = read != reads_.of(txn).end() && read->mop == mop;
      if (!is_split || !ops[mop].is_read()) {
        add_op(ops[mop], shown_list(history_, ops[mop]).size());
      } else if (is_listed && stays(txn, *read)) {
        add_read(ops[mop], *read, shown_list(history_, ops[mop]).size());
      }
      if (is_split) {
        kept_[txn.value].resize(mops_.size(), mop);
      }
      read += is_listed ? 1 : 0;
    }
    TxnInput input = {.session = history_.session(txn).value, .status = history_.status(txn)};
    const bool says_something = !reads_.of(txn).empty() || reads_.contradicts_itself(txn);
    if (is_split && !visibility_.took_effect(txn) && says_something) {
      input.status = TxnStatus::kAborted;  // no read shows that it took effect
    }
    input.invocation_time =
        history_.has_invocation(txn) ? history_.invocation_id(txn).value : kEarliest;
    input.completion_time =
        history_.has_completion(txn) ? history_.completion_id(txn).value : kLatest;
    add_txn(input);
  }

  /// Adds each split-off read in a session of its own, with an unbounded time interval.
  void add_reads(TxnId txn) {
    std::unordered_map<KeyId, std::uint32_t> met;  // by key
    for (const OthersRead& read : reads_.of(txn)) {
      const std::uint32_t number = met[read.key]++;
      if (stays(txn, read)) {
        continue;
      }
      add_read(history_.ops(txn)[read.mop], read, read.length);
      add_txn({.session = -1 - static_cast<std::int64_t>(by_txn_.size()),
               .invocation_time = kEarliest,
               .completion_time = kLatest});
      by_txn_.push_back(serial(levels_.of(txn)));
      split_.push_back({txn, read.mop, number});
    }
  }

  /// If the transaction read the initial state by both of its names, both stay.
  void add_read(Op op, const OthersRead& read, std::size_t length) {
    add_op(op, length);
    if (read.is_unwritten) {
      const ValueId other = op.value().is_nil() ? history_.info().initial : ValueId::nil();
      mops_.push_back({.kind = op.kind(), .key = op.key(), .value = renamed(other)});
    }
  }

  void add_op(Op op, std::size_t length) {
    MopInput mop = {.kind = op.kind(), .key = op.key()};
    if (op.kind() == OpKind::kReadList) {
      mop.list_begin = static_cast<std::uint32_t>(elements_.size());
      for (const ValueId element : history_.elements(op).first(length)) {
        elements_.push_back(renamed(element));
      }
      mop.list_length = static_cast<std::uint32_t>(elements_.size()) - mop.list_begin;
    } else {
      mop.value = renamed(op.value());
    }
    mops_.push_back(mop);
  }

  void add_txn(TxnInput input) {
    if (!history_.info().has_real_time) {
      input.invocation_time.reset();
      input.completion_time.reset();
    }
    input.mops = mops_;
    input.elements = elements_;
    [[maybe_unused]] const Status added = builder_.add_transaction(input);
    assert(added.ok());
    mops_.clear();
    elements_.clear();
  }

  /// Numbers the values, so that equal values stay equal.
  ValueId renamed(ValueId value) {
    if (value.is_nil() || value.is_none()) {
      return value;
    }
    const auto number = static_cast<std::int64_t>(values_.size());
    const auto [entry, is_new] = numbers_.try_emplace(value, number);
    if (is_new) {
      values_.push_back(value);
    }
    return ValueId::integer(entry->second);
  }

  const History& history_;
  const TxnLevels& levels_;
  const MixReads& reads_;
  const MixVisibility& visibility_;
  HistoryBuilder builder_;
  std::unordered_map<ValueId, std::int64_t> numbers_;
  std::vector<ValueId> values_;
  std::vector<MopInput> mops_;      // of the current transaction
  std::vector<ValueId> elements_;   // of its lists
  std::vector<OrderLevel> by_txn_;  // so far
  std::vector<SplitHistory::SplitRead> split_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> kept_;
};

}  // namespace

std::uint32_t SplitHistory::mop_of(TxnId txn, std::uint32_t mop) const {
  const auto places = kept.find(txn.value);
  return places == kept.end() ? mop : places->second[mop];
}

std::optional<std::string> reason_to_leave_open(const History& history, const TxnLevels& levels,
                                                const Assumptions& assumptions) {
  const auto is_guarantee = [](OrderLevel level) {
    return level.visibility > Visibility::kReadCommitted && level.visibility < Visibility::kNothing;
  };
  if (levels.any(is_guarantee)) {
    return "session guarantees and pram cannot be mixed with other levels";
  }
  if (bind_versions(assumptions, history)) {
    return "assumptions about keys cannot be combined with mixed levels";
  }
  return std::nullopt;
}

SplitHistory split_reads(const History& history, const TxnLevels& levels, const MixReads& reads,
                         const MixVisibility& visibility) {
  return Splitter(history, levels, reads, visibility).run();
}

}  // namespace elapid
