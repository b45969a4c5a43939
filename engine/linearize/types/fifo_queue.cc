#include "engine/linearize/types/fifo_queue.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/linearize/types/cover.h"
#include "engine/linearize/types/crashed_removes.h"
#include "engine/linearize/types/value_order.h"

namespace elapid::linearize {
namespace {

/// The operations in the order of the values; each enqueue and dequeue comes as early as it may.
std::vector<std::uint32_t> operations_of(const std::vector<Stay>& stays,
                                         const std::vector<EmptyAt>& empty,
                                         const std::vector<std::uint32_t>& values) {
  struct Timed {
    std::uint32_t instant;
    std::uint32_t place;
  };

  std::vector<std::uint32_t> order;
  std::vector<Timed> removes;  // of values that were added already
  std::size_t removed = 0;
  std::size_t next_empty = 0;
  std::uint32_t added_at = 0;
  std::uint32_t removed_at = 0;
  const auto remove_before = [&](std::uint32_t instant) {
    for (; removed < removes.size() && removes[removed].instant < instant; ++removed) {
      order.push_back(removes[removed].place);
    }
  };
  for (const std::uint32_t value : values) {
    if (value == kNoPlace) {
      remove_before(kNever);
      order.push_back(empty[next_empty].place);
      added_at = removed_at = std::max(added_at, empty[next_empty++].gap);
      continue;
    }
    const Stay& stay = stays[value];
    added_at = std::max(added_at, stay.add_from);
    remove_before(added_at);
    order.push_back(stay.add);
    if (stay.remove != kNoPlace) {
      removed_at = std::max({removed_at, added_at, stay.remove_from});
      removes.push_back({removed_at, stay.remove});
    }
  }
  remove_before(kNever);
  return order;
}

/// Judges a queue in which each remove is known.
Judgement judge_known(const Stays& stays) {
  const Cover cover(stays);
  std::vector<EmptyAt> empty;
  for (const Remove& remove : stays.empty) {
    const std::optional<std::uint32_t> gap = cover.first_free(remove);
    if (!gap.has_value()) {
      return not_empty(remove, stays);
    }
    empty.push_back({*gap, remove.place});
  }
  std::sort(empty.begin(), empty.end());
  const ValueOrder values = value_order(stays.stays, empty);
  if (values.is_found) {
    return linearizable(operations_of(stays.stays, empty, values.order));
  }
  const Stay& first = stays.stays[values.first];
  const Stay& second = stays.stays[values.second];
  Judgement judgement = refuted(Pattern::kOvertaken, {first.add, second.add, second.remove});
  if (first.remove != kNoPlace) {
    judgement.places.push_back(first.remove);
  }
  return judgement;
}

/// The deadline of a value that stays: the first end of a dequeue among values enqueued after it,
/// or the first gap in which it must be gone.
std::vector<std::uint32_t> deadlines_in_queue(const std::vector<Stay>& stays,
                                              const CrashedRemoves& help,
                                              const std::vector<std::uint32_t>& gaps) {
  std::vector<std::uint32_t> first_end(stays.size() + 1, kNever);  // from each place on
  for (std::size_t i = stays.size(); i-- > 0;) {
    first_end[i] = std::min(first_end[i + 1], stays[i].remove_to);
  }
  std::vector<std::uint32_t> deadlines = help.deadlines_by(gaps);
  for (std::size_t i = 0; i < stays.size(); ++i) {
    const auto after = std::partition_point(stays.begin(), stays.end(), [&](const Stay& other) {
      return other.add_from < stays[i].add_to;
    });
    deadlines[i] =
        std::min(deadlines[i], first_end[static_cast<std::size_t>(after - stays.begin())]);
  }
  return deadlines;
}

/// kUnknown if the bounds do not decide.
Judgement judge_by_bounds(const Stays& stays) {
  Judgement judgement = judge_known(stays);
  if (judgement.answer == Answer::kLinearizable || stays.crashed.empty()) {
    return judgement;
  }
  const CrashedRemoves help(stays);
  if (Judgement relaxed = judge_known(help.unlimited());
      relaxed.answer == Answer::kNotLinearizable) {
    return relaxed;
  }
  for (const bool is_last : {false, true}) {
    std::vector<std::uint32_t> gaps = help.gaps(is_last);
    if (const auto missing = std::find(gaps.begin(), gaps.end(), kNever); missing != gaps.end()) {
      return not_empty(stays.empty[static_cast<std::size_t>(missing - gaps.begin())], stays);
    }
    std::sort(gaps.begin(), gaps.end());
    if (const std::optional<Stays> helped = help.given(deadlines_in_queue(stays.stays, help, gaps));
        helped.has_value()) {
      return judge_known(*helped);  // exact: see fifo_queue.h
    }
    if (gaps.empty()) {
      return judgement;  // the removes that never returned are too few
    }
  }
  return {};
}

}  // namespace

Judgement judge_fifo_queue(const Operations& operations, std::uint64_t work) {
  Stays stays = stays_of(operations);
  if (!stays.has_repeated_values) {
    if (stays.flaw.pattern != Pattern::kNone) {
      return std::move(stays.flaw);
    }
    if (Judgement judgement = judge_by_bounds(stays); judgement.answer != Answer::kUnknown) {
      return judgement;
    }
  }
  return sweep_container(operations, FifoQueueModel(), work);
}

void FifoQueueModel::step(const State& state, const Operation& op, std::vector<State>& next) const {
  if (is_add(op)) {
    next.push_back(state);
    next.back().push_back(op.argument.bits());
  } else if (is_empty_remove(op)) {
    if (state.empty()) {
      next.push_back(state);
    }
  } else if (!state.empty() && (op.result.is_none() || op.result.bits() == state.front())) {
    next.emplace_back(state.begin() + 1, state.end());
  }
}

}  // namespace elapid::linearize
