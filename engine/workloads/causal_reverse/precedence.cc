#include "engine/workloads/causal_reverse/precedence.h"

#include <algorithm>

#include "engine/infer/order.h"

namespace elapid::causal_reverse {

Precedence::Precedence(const History& history, bool last_counts) : history_(history) {
  EventOrder(history).each([&](TxnId txn, EventKind kind) {
    const std::span<const Op> ops = history_.ops(txn);
    if (!ops.empty() && ops.front().is_write()) {
      see(txn, kind, last_counts);
    }
  });
  for (TxnId txn{0}; !last_counts && txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    const bool is_known = history.has_invocation(txn) || history.status(txn) == TxnStatus::kAborted;
    if (!ops.empty() && ops.front().is_write() && !is_known) {
      invoked_[number_of(ops.front().value())] = {};  // the value may show from the beginning on
    }
  }
  shown_by_.resize(acknowledged_.size());
}

std::uint32_t Precedence::number_of(ValueId value) {
  const auto fresh = static_cast<std::uint32_t>(invoked_.size());
  const std::uint32_t number = number_.find_or_add(value, fresh);
  if (number == fresh) {
    invoked_.emplace_back();
    rank_of_.push_back(kNone);
  }
  return number;
}

void Precedence::see(TxnId txn, EventKind kind, bool last_counts) {
  const std::span<const Op> ops = history_.ops(txn);
  const bool is_invocation = kind == EventKind::kInvocation;
  const ValueId value = (is_invocation && last_counts ? ops.back() : ops.front()).value();
  const std::uint32_t number = number_of(value);
  if (is_invocation) {
    WriteEvent& first = invoked_[number];
    const bool had_failed =
        !first.txn.is_none() && history_.status(first.txn) == TxnStatus::kAborted;
    if (first.txn.is_none() || last_counts ||
        (had_failed && history_.status(txn) != TxnStatus::kAborted)) {
      first = {history_.invocation_id(txn), txn};
    }
  } else if (history_.committed(txn) && rank_of_[number] == kNone) {
    rank_of_[number] = static_cast<std::uint32_t>(acknowledged_.size());
    acknowledged_.push_back({{history_.completion_id(txn), txn}, value});
  }
}

std::optional<Gap> Precedence::gap_of(TxnId read, std::size_t most) {
  WriteEvent last;
  Gap gap = {.read = read, .shown = ValueId::none()};
  numbers_.clear();
  for (const ValueId value : history_.elements(history_.ops(read).front())) {
    const std::uint32_t number = number_.find(value);
    if (number == ValueNumbers::kAbsent) {
      continue;
    }
    numbers_.push_back(number);
    const WriteEvent invoked = invoked_[number];
    if (!invoked.txn.is_none() && (last.txn.is_none() || last.event < invoked.event)) {
      last = invoked;
      gap.shown = value;
    }
  }
  if (last.txn.is_none()) {
    return std::nullopt;
  }
  const auto end = std::ranges::lower_bound(acknowledged_, last.event, {},
                                            [](const auto& entry) { return entry.first.event; });
  const auto expected = static_cast<std::uint32_t>(end - acknowledged_.begin());
  gap.expected_count = expected;
  ++question_;
  std::uint32_t found = 0;
  for (const std::uint32_t number : numbers_) {
    const std::uint32_t rank = rank_of_[number];  // kNone is greater than all
    if (rank < expected && std::exchange(shown_by_[rank], question_) != question_) {
      ++found;
    }
  }
  if (found == expected) {
    return std::nullopt;
  }
  for (std::uint32_t rank = 0; rank < expected && gap.missing.size() < most; ++rank) {
    if (shown_by_[rank] != question_) {
      gap.missing.push_back(acknowledged_[rank].second);
    }
  }
  gap.is_cut = gap.missing.size() < expected - found;
  return gap;
}

}  // namespace elapid::causal_reverse
