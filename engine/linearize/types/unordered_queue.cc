#include "engine/linearize/types/unordered_queue.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/linearize/types/cover.h"
#include "engine/linearize/types/crashed_removes.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {
namespace {

/// Instants count twice here, so that gaps lie between them.
std::uint64_t twice(std::uint32_t instant) {
  return 2 * std::uint64_t{instant};
}

/// `gap_of` has a gap for each remove that found nothing.
std::vector<std::uint32_t> bag_order(const Stays& stays, const std::vector<std::uint32_t>& gap_of,
                                     const std::vector<std::uint32_t>& sorted_gaps) {
  constexpr std::uint32_t kEmptyFirst = 0;
  constexpr std::uint32_t kThenAdd = 1;
  constexpr std::uint32_t kThenRemove = 2;
  TimedOrder order;
  for (std::size_t i = 0; i < gap_of.size(); ++i) {
    order.add(twice(gap_of[i]) + 1, kEmptyFirst, stays.empty[i].place);
  }
  for (const Stay& stay : stays.stays) {
    std::uint64_t add_at = twice(stay.add_from);
    const auto after = std::lower_bound(sorted_gaps.begin(), sorted_gaps.end(), stay.remove_from);
    if (after != sorted_gaps.begin()) {
      add_at = std::max(add_at, twice(*(after - 1)) + 1);
    }
    order.add(add_at, kThenAdd, stay.add);
    if (stay.remove != kNoPlace) {
      order.add(twice(stay.remove_from), kThenRemove, stay.remove);
    }
  }
  return std::move(order).sorted();
}

Judgement judge_distinct(const Stays& stays) {
  const CrashedRemoves help(stays);
  const std::vector<std::uint32_t> gaps = help.gaps(false);
  if (const auto missing = std::find(gaps.begin(), gaps.end(), kNever); missing != gaps.end()) {
    return not_empty(stays.empty[static_cast<std::size_t>(missing - gaps.begin())], stays);
  }
  std::vector<std::uint32_t> sorted = gaps;
  std::sort(sorted.begin(), sorted.end());
  const std::optional<Stays> helped = help.given(help.deadlines_by(sorted));
  return linearizable(bag_order(helped.value(), gaps, sorted));
}

}  // namespace

Judgement judge_unordered_queue(const Operations& operations, std::uint64_t work) {
  Stays stays = stays_of(operations);
  if (stays.has_repeated_values) {
    return sweep_container(operations, UnorderedQueueModel(), work);
  }
  return stays.flaw.pattern == Pattern::kNone ? judge_distinct(stays) : std::move(stays.flaw);
}

void UnorderedQueueModel::step(const State& state, const Operation& op,
                               std::vector<State>& next) const {
  if (is_empty_remove(op)) {
    if (state.empty()) {
      next.push_back(state);
    }
    return;
  }
  if (is_add(op)) {
    next.push_back(state);
    next.back().insert(std::upper_bound(state.begin(), state.end(), op.argument.bits()) -
                           state.begin() + next.back().begin(),
                       op.argument.bits());
    return;
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    const bool is_repeated = i > 0 && state[i] == state[i - 1];
    if (!is_repeated && (op.result.is_none() || op.result.bits() == state[i])) {
      next.push_back(state);
      next.back().erase(next.back().begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

}  // namespace elapid::linearize
