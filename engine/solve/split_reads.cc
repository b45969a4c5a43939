#include "engine/solve/split_reads.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <span>
#include <unordered_map>

#include "engine/ir/history_builder.h"

namespace elapid {

namespace {

constexpr std::int64_t kEarliest = -1;
constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();

bool is_split(OrderLevel level) {
  return level.visibility == Visibility::kNothing;
}

/// Whether the result of the read is known.
bool is_known(const History& history, TxnId txn, Op read) {
  return read.is_read() &&
         (history.committed(txn) || !read.value().is_nil() || read.kind() == OpKind::kReadList);
}

/// Whether the transaction reads a key that it wrote before.
bool reads_own_writes(std::span<const Op> ops) {
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const bool has_written = std::ranges::any_of(
        ops.first(i), [&](Op op) { return op.is_write() && op.key() == ops[i].key(); });
    if (ops[i].is_read() && has_written) {
      return true;
    }
  }
  return false;
}

class Splitter {
 public:
  Splitter(const History& history, const TxnLevels& levels) : history_(history), levels_(levels) {
    for (std::uint32_t k = 0; k < history.key_count(); ++k) {
      builder_.key(ValueId::integer(k));
    }
  }

  SplitHistory run() {
    const auto count = static_cast<std::uint32_t>(history_.txn_count());
    for (TxnId txn{0}; txn.value < count; ++txn.value) {
      const OrderLevel level = levels_.of(txn);
      add_whole(txn, is_split(level));
      by_txn_.push_back(is_split(level) ? serial(level) : level);
    }
    for (TxnId txn{0}; txn.value < count; ++txn.value) {
      if (is_split(levels_.of(txn)) && history_.status(txn) != TxnStatus::kAborted) {
        add_reads(txn);
      }
    }
    HistoryInfo info;
    info.workload = history_.workload();
    info.initial = renamed(history_.info().initial);
    info.initial_txn = history_.info().initial_txn;
    Result<History> built = std::move(builder_).build(std::move(info));
    assert(built);  // it has as many operations as one that could be built
    return {std::move(built).value(), TxnLevels(std::move(by_txn_)), std::move(orders_)};
  }

 private:
  static OrderLevel serial(OrderLevel level) {
    level.visibility = Visibility::kSerial;
    return level;
  }

  void add_whole(TxnId txn, bool without_reads) {
    for (const Op op : history_.ops(txn)) {
      if (!without_reads || !op.is_read()) {
        add_op(op);
      }
    }
    TxnInput input = {.session = history_.session(txn).value, .status = history_.status(txn)};
    input.invocation_time =
        history_.has_invocation(txn) ? history_.invocation_id(txn).value : kEarliest;
    input.completion_time =
        history_.has_completion(txn) ? history_.completion_id(txn).value : kLatest;
    add_txn(input);
  }

  /// Each alone in a session, and as if it had taken all the time.
  void add_reads(TxnId txn) {
    for (const Op op : history_.ops(txn)) {
      if (!is_known(history_, txn, op)) {
        continue;
      }
      add_op(op);
      const auto number = static_cast<std::uint32_t>(by_txn_.size());
      add_txn({.session = -1 - std::int64_t{number},
               .invocation_time = kEarliest,
               .completion_time = kLatest});
      by_txn_.push_back(serial(levels_.of(txn)));
      orders_.emplace_back(TxnId{number}, txn);
    }
  }

  void add_op(Op op) {
    MopInput mop = {.kind = op.kind(), .key = op.key()};
    if (op.kind() == OpKind::kReadList) {
      mop.list_begin = static_cast<std::uint32_t>(elements_.size());
      for (const ValueId element : history_.elements(op)) {
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

  /// Values of another history, told apart as before.
  ValueId renamed(ValueId value) {
    if (value.is_nil() || value.is_none()) {
      return value;
    }
    const auto number = static_cast<std::int64_t>(numbers_.size());
    return ValueId::integer(numbers_.try_emplace(value, number).first->second);
  }

  const History& history_;
  const TxnLevels& levels_;
  HistoryBuilder builder_;
  std::unordered_map<ValueId, std::int64_t> numbers_;
  std::vector<MopInput> mops_;      // of the transaction at hand
  std::vector<ValueId> elements_;   // of its lists
  std::vector<OrderLevel> by_txn_;  // so far
  std::vector<std::pair<TxnId, TxnId>> orders_;
};

}  // namespace

std::optional<std::string> reason_to_leave_open(const History& history, const TxnLevels& levels,
                                                const Assumptions& assumptions) {
  const auto any = [&](auto is_such) { return levels.any(is_such); };
  if (any([](OrderLevel level) { return is_saturable(level.visibility) && !is_split(level); })) {
    return "of the weak levels only read-committed can be mixed with others";
  }
  if ((any([](OrderLevel l) { return l.sessions; }) &&
       any([](OrderLevel l) { return !l.sessions; })) ||
      (any([](OrderLevel l) { return l.real_time; }) &&
       any([](OrderLevel l) { return !l.real_time; }))) {
    return "levels that differ in whether session order or real time counts cannot be mixed";
  }
  if (any([](OrderLevel l) { return l.real_time; }) && !history.info().has_real_time) {
    return "a level needs real time, which this history does not record";
  }
  if (assumptions.order_something()) {
    return "assumptions about keys cannot be combined with mixed levels";
  }
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (!is_split(levels.of(txn)) || history.status(txn) == TxnStatus::kAborted) {
      continue;
    }
    const std::span<const Op> ops = history.ops(txn);
    if (reads_own_writes(ops)) {
      return "a transaction at read-committed reads what it wrote itself";
    }
    if (!history.committed(txn) &&
        std::ranges::any_of(ops, [&](Op op) { return is_known(history, txn, op); })) {
      return "it is unknown whether a transaction at read-committed took effect, with its reads";
    }
  }
  return std::nullopt;
}

SplitHistory split_reads(const History& history, const TxnLevels& levels) {
  return Splitter(history, levels).run();
}

}  // namespace elapid
