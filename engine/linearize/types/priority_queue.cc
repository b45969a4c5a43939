#include "engine/linearize/types/priority_queue.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/linearize/types/crashed_removes.h"
#include "engine/linearize/types/timed_order.h"
#include "engine/linearize/types/value_order.h"

namespace elapid::linearize {
namespace {

/// Gaps between instants, of which more and more are forbidden: union-find with halved paths.
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

  /// Those from `begin` to before `end`.
  void forbid(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t gap = first_from(begin); gap < end; gap = first_from(gap)) {
      next_[gap] = gap + 1;
    }
  }

 private:
  std::vector<std::uint32_t> next_;  // itself if free, else one further on
};

class PriorityOrder {
 public:
  /// `by_priority`: places in the stays, that which goes first at first.
  PriorityOrder(const Stays& stays, const std::vector<std::uint32_t>& by_priority)
      : stays_(stays), by_priority_(by_priority), free_(stays.instants) {}

  Judgement run() && {
    for (const std::uint32_t place : by_priority_) {
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
  /// In one gap: removes of what is inside, what comes and goes, what finds nothing, adds.
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

  /// With the value that goes first of those inside at the gap.
  [[nodiscard]] Judgement not_free(Pattern pattern, std::uint32_t remove, std::uint32_t end,
                                   std::uint32_t gap) const {
    for (const std::uint32_t place : by_priority_) {
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
  const std::vector<std::uint32_t>& by_priority_;
  FreeGaps free_;
  TimedOrder order_;
};

std::vector<std::uint32_t> places_by_priority(const std::vector<Stay>& stays,
                                              const PriorityQueueModel& model) {
  std::vector<std::uint64_t> keys;
  for (std::uint32_t place = 0; place < stays.size(); ++place) {
    keys.push_back(std::uint64_t{model.rank_of(stays[place].value)} << 32 | place);
  }
  std::sort(keys.begin(), keys.end(), std::greater<>());
  std::vector<std::uint32_t> places(keys.size());
  std::transform(keys.begin(), keys.end(), places.begin(),
                 [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
  return places;
}

std::vector<ValueId> values_of(const Operations& operations) {
  std::vector<ValueId> values;
  for (const Operation& op : operations) {
    values.push_back(is_add(op) ? op.argument : op.result);
  }
  return values;
}

bool has_equal_ranks(const Stays& stays, const PriorityQueueModel& model,
                     const std::vector<std::uint32_t>& by_priority) {
  return std::adjacent_find(
             by_priority.begin(), by_priority.end(), [&](std::uint32_t a, std::uint32_t b) {
               return model.rank_of(stays.stays[a].value) == model.rank_of(stays.stays[b].value);
             }) != by_priority.end();
}

}  // namespace

Judgement judge_priority_queue(const Operations& operations, GoesFirst first, const ValuePool& pool,
                               std::uint64_t work) {
  const PriorityQueueModel model(operations, first, pool);
  Stays stays = stays_of(operations);
  if (stays.has_repeated_values) {
    return sweep_container(operations, model, work);
  }
  if (stays.flaw.pattern != Pattern::kNone) {
    return std::move(stays.flaw);
  }
  const std::vector<std::uint32_t> by_priority = places_by_priority(stays.stays, model);
  if (has_equal_ranks(stays, model, by_priority)) {
    return sweep_container(operations, model, work);
  }
  Judgement judgement = PriorityOrder(stays, by_priority).run();
  if (judgement.answer == Answer::kLinearizable || stays.crashed.empty()) {
    return judgement;
  }
  const Stays helped = CrashedRemoves(stays).unlimited();
  judgement = PriorityOrder(helped, by_priority).run();
  return judgement.answer == Answer::kLinearizable ? sweep_container(operations, model, work)
                                                   : judgement;
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
