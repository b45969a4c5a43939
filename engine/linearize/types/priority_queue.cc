#include "engine/linearize/types/priority_queue.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/linearize/types/crashed_removes.h"
#include "engine/linearize/types/timed_order.h"
#include "engine/linearize/types/value_order.h"

namespace elapid::linearize {
namespace {

/// The gaps between instants that are not forbidden yet. Union-find with path halving.
class FreeGaps {
 public:
  explicit FreeGaps(std::uint32_t count) : next_(count + 1) {
    for (std::uint32_t gap = 0; gap <= count; ++gap) {
      next_[gap] = gap;
    }
  }

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(next_.size() - 1); }

  /// The first free gap from this one on, or count().
  std::uint32_t first_from(std::uint32_t gap) {
    while (next_[gap] != gap) {
      next_[gap] = next_[next_[gap]];
      gap = next_[gap];
    }
    return gap;
  }

  /// The last free gap before `end`, from `first` on, which is free.
  std::uint32_t last_before(std::uint32_t end, std::uint32_t first) {
    for (end = std::min(end, count()); end > first + 1; --end) {
      if (first_from(end - 1) == end - 1) {
        return end - 1;
      }
    }
    return first;
  }

  /// Forbids the gaps from `begin` to before `end`.
  void forbid(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t gap = first_from(begin); gap < end; gap = first_from(gap)) {
      next_[gap] = gap + 1;
    }
  }

 private:
  std::vector<std::uint32_t> next_;  // itself if free, else one further on
};

struct Priority {
  std::int64_t number;
  std::uint32_t stay;
};

/// The stays by priority; the one that goes first comes first.
std::vector<Priority> priorities_of(const std::vector<Stay>& stays, GoesFirst first,
                                    const ValuePool& pool) {
  std::vector<Priority> priorities;
  priorities.reserve(stays.size());
  for (std::uint32_t place = 0; place < stays.size(); ++place) {
    priorities.push_back({pool.as_integer(stays[place].value).value_or(0), place});
  }
  std::sort(priorities.begin(), priorities.end(), [first](const Priority& a, const Priority& b) {
    return first == GoesFirst::kGreatest ? a.number > b.number : a.number < b.number;
  });
  return priorities;
}

class PriorityOrder {
 public:
  PriorityOrder(const Stays& stays, const std::vector<Priority>& priorities)
      : stays_(stays), priorities_(priorities), free_(stays.instants) {}

  Judgement run() && {
    for (const auto& [number, place] : priorities_) {
      if (!take(stays_.stays[place])) {
        const Stay& stay = stays_.stays[place];
        return not_free(Pattern::kPassedOver, stay.remove, place, stay.remove_from);
      }
    }
    for (const Remove& empty : stays_.empty) {
      const std::uint32_t gap = free_.first_from(empty.from);
      if (gap >= empty.to) {
        return not_free(Pattern::kNotEmpty, empty.place, kNoPlace, empty.from);
      }
      order_.add(gap, kEmpty, empty.place);
    }
    return linearizable(std::move(order_).sorted());
  }

 private:
  /// The order within a gap: removes of values inside, values that come and go, removes that find
  /// nothing, adds.
  enum InGap : std::uint32_t { kRemoveInside, kComeAndGo, kEmpty, kAddLate };

  bool take(const Stay& stay) {
    const bool may_stay = stay.remove_to >= kLast;
    std::uint32_t gap = free_.count();
    if (stay.remove_from < free_.count()) {
      gap = free_.first_from(stay.remove_from);
    }
    if (gap >= stay.remove_to || (gap == free_.count() && !may_stay)) {
      return false;
    }
    if (stay.add_to > gap) {
      order_.add(gap, kComeAndGo, stay.add);
      order_.add(gap, kComeAndGo, stay.remove);
      return true;
    }
    order_.add(stay.add_to - 1, kAddLate, stay.add);
    if (stay.remove != kNoPlace) {
      order_.add(gap, kRemoveInside, stay.remove);
    }
    free_.forbid(stay.add_to, gap);
    return true;
  }

  /// Names the value inside at the gap that goes first.
  [[nodiscard]] Judgement not_free(Pattern pattern, std::uint32_t remove, std::uint32_t end,
                                   std::uint32_t gap) const {
    for (const auto& [number, place] : priorities_) {
      const Stay& stay = stays_.stays[place];
      if (place == end) {
        break;
      }
      if (stay.add_to <= gap && gap < stay.remove_from) {
        return refuted(pattern, {remove, stay.add});
      }
    }
    return refuted(pattern, {remove});
  }

  const Stays& stays_;
  const std::vector<Priority>& priorities_;
  FreeGaps free_;
  TimedOrder order_;
};

/// The deadline of a value that stays: the first gap in which a value after it is removed, if all
/// that stay are left out.
std::vector<std::uint32_t> deadlines_by_priority(const Stays& stays,
                                                 const std::vector<Priority>& priorities,
                                                 bool is_last) {
  std::vector<std::uint32_t> gap_of(stays.stays.size(), kNever);
  FreeGaps free(stays.instants);
  for (const auto& [number, place] : priorities) {
    const Stay& stay = stays.stays[place];
    if (stay.remove != kNoPlace) {
      const std::uint32_t first = free.first_from(stay.remove_from);
      gap_of[place] = is_last ? free.last_before(stay.remove_to, first) : first;
      free.forbid(stay.add_to, first);
    }
  }
  std::set<std::uint32_t> gaps;  // of values after this one
  for (const Remove& empty : stays.empty) {
    const std::uint32_t first = free.first_from(empty.from);
    gaps.insert(is_last ? free.last_before(empty.to, first) : first);
  }
  std::vector<std::uint32_t> deadlines(stays.stays.size(), kNever);
  for (auto next = priorities.rbegin(); next != priorities.rend(); ++next) {
    if (gap_of[next->stay] != kNever) {
      gaps.insert(gap_of[next->stay]);
    } else if (const auto gap = gaps.lower_bound(stays.stays[next->stay].add_to);
               gap != gaps.end()) {
      deadlines[next->stay] = *gap + 1;
    }
  }
  return deadlines;
}

std::vector<ValueId> values_of(const Operations& operations) {
  std::vector<ValueId> values;
  for (const Operation& op : operations) {
    values.push_back(is_add(op) ? op.argument : op.result);
  }
  return values;
}

}  // namespace

Judgement judge_priority_queue(const Operations& operations, GoesFirst first, const ValuePool& pool,
                               std::uint64_t work) {
  const auto search = [&] {
    return sweep_container(operations, PriorityQueueModel(operations, first, pool), work);
  };
  Stays stays = stays_of(operations);
  if (stays.has_repeated_values) {
    return search();
  }
  if (stays.flaw.pattern != Pattern::kNone) {
    return std::move(stays.flaw);
  }
  const std::vector<Priority> priorities = priorities_of(stays.stays, first, pool);
  Judgement judgement = PriorityOrder(stays, priorities).run();
  if (judgement.answer == Answer::kLinearizable || stays.crashed.empty()) {
    return judgement;
  }
  const CrashedRemoves help(stays);
  judgement = PriorityOrder(help.unlimited(), priorities).run();
  if (judgement.answer == Answer::kNotLinearizable) {
    return judgement;
  }
  for (const bool is_last : {false, true}) {
    const std::optional<Stays> helped =
        help.given(deadlines_by_priority(stays, priorities, is_last));
    if (helped.has_value()) {
      judgement = PriorityOrder(*helped, priorities).run();
      if (judgement.answer == Answer::kLinearizable) {
        return judgement;
      }
    }
  }
  return search();
}

PriorityQueueModel::PriorityQueueModel(const Operations& operations, GoesFirst first,
                                       const ValuePool& pool)
    : first_(first), ranks_(values_of(operations), pool) {}

std::uint32_t PriorityQueueModel::rank_of(ValueId value) const {
  const std::uint32_t rank = ranks_.of(value);
  return first_ == GoesFirst::kGreatest ? rank : Ranks::kAbsent - rank;
}

void PriorityQueueModel::step(const State& state, const Operation& op,
                              std::vector<State>& next) const {
  if (is_add(op)) {
    const std::uint32_t rank = rank_of(op.argument);
    next.push_back(state);
    next.back().insert(std::upper_bound(next.back().begin(), next.back().end(), rank), rank);
  } else if (is_empty_remove(op)) {
    if (state.empty()) {
      next.push_back(state);
    }
  } else if (!state.empty() && (op.result.is_none() || rank_of(op.result) == state.back())) {
    next.emplace_back(state.begin(), state.end() - 1);
  }
}

}  // namespace elapid::linearize
