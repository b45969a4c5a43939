#include "engine/workloads/causal_reverse/precedence.h"

#include <algorithm>

#include "engine/infer/order.h"

namespace elapid::causal_reverse {

Precedence::Precedence(const History& history, bool last_counts) : history_(history) {
  EventOrder(history).each([&](TxnId txn, EventKind kind) {
    const std::span<const Op> ops = history_.ops(txn);
    if (ops.size() == 1 && ops.front().is_write()) {
      see(txn, kind, last_counts);
    }
  });
  shown_by_.resize(acknowledged_.size());
}

void Precedence::see(TxnId txn, EventKind kind, bool last_counts) {
  const ValueId value = history_.ops(txn).front().value();
  if (kind == EventKind::kInvocation) {
    const WriteEvent event = {history_.invocation_id(txn), txn};
    const auto [found, is_new] = invoked_.try_emplace(value, event);
    const bool had_failed = history_.status(found->second.txn) == TxnStatus::kAborted;
    if (last_counts || (had_failed && history_.status(txn) != TxnStatus::kAborted)) {
      found->second = event;
    }
  } else if (history_.committed(txn)) {
    const auto rank = static_cast<std::uint32_t>(acknowledged_.size());
    if (rank_of_.try_emplace(value, rank).second) {
      acknowledged_.push_back({{history_.completion_id(txn), txn}, value});
    }
  }
}

std::optional<Gap> Precedence::gap_of(TxnId read) {
  const std::span<const ValueId> shown = history_.elements(history_.ops(read).front());
  std::optional<WriteEvent> last;
  Gap gap = {.read = read, .shown = ValueId::none()};
  for (const ValueId value : shown) {
    const auto found = invoked_.find(value);
    if (found != invoked_.end() && (!last || last->event < found->second.event)) {
      last = found->second;
      gap.shown = value;
    }
  }
  if (!last) {
    return std::nullopt;
  }
  const auto end = std::ranges::lower_bound(acknowledged_, last->event, {},
                                            [](const auto& entry) { return entry.first.event; });
  const auto expected = static_cast<std::uint32_t>(end - acknowledged_.begin());
  gap.expected_count = expected;
  ++question_;
  std::uint32_t found = 0;
  for (const ValueId value : shown) {
    const auto rank = rank_of_.find(value);
    if (rank != rank_of_.end() && rank->second < expected && shown_by_[rank->second] != question_) {
      shown_by_[rank->second] = question_;
      ++found;
    }
  }
  if (found == expected) {
    return std::nullopt;
  }
  for (std::uint32_t rank = 0; rank < expected; ++rank) {
    if (shown_by_[rank] != question_) {
      gap.missing.push_back(acknowledged_[rank].second);
    }
  }
  return gap;
}

}  // namespace elapid::causal_reverse
