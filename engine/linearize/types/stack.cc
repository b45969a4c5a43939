#include "engine/linearize/types/stack.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "engine/linearize/types/cover.h"
#include "engine/linearize/types/cover_tree.h"
#include "engine/linearize/types/crashed_removes.h"
#include "engine/linearize/types/max_tree.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {
namespace {

/// Places 0 to n - 1. Some are crossed out. Finds the next one that is left.
class Left {
 public:
  explicit Left(std::size_t count) : next_(count + 1) { std::iota(next_.begin(), next_.end(), 0U); }

  void cross_out(std::uint32_t place) { next_[place] = place + 1; }

  /// The first place from `place` on; n if there is none.
  std::uint32_t first_from(std::uint32_t place) {
    while (next_[place] != place) {
      next_[place] = next_[next_[place]];
      place = next_[place];
    }
    return place;
  }

 private:
  std::vector<std::uint32_t> next_;
};

/// Takes the values that have cores apart.
class Runs {
 public:
  /// The stays by the end of their pushes; of a value that stays the pop begins at `end`, or with
  /// the open pop `help`.
  Runs(const std::vector<Stay>& stays, std::uint32_t end, std::uint32_t help)
      : stays_(stays),
        end_(end),
        help_(help),
        left_(stays.size()),
        last_pop_(stays.size()),
        late_(stays.size()),
        early_(stays.size()),
        cover_(counts(stays, end)),
        tasks_({{.begin = 0, .end = end, .pop = kNoPlace, .is_outermost = true}}) {
    for (std::uint32_t i = 0; i < stays.size(); ++i) {
      last_pop_.set(i, stays[i].remove_from);
      late_.set(i, kNever - stays[i].add_from);
    }
  }

  /// Adds the operations to the order, or says why there is none.
  Judgement take_apart(TimedOrder& order) {
    while (!tasks_.empty()) {
      const Task task = tasks_.back();
      tasks_.pop_back();
      if (task.pop != kNoPlace) {
        pop(order, stays_[task.pop]);
      } else if (const std::optional<Run> run = run_within(task); run.has_value()) {
        const std::uint32_t begin = stays_[run->first].add_to;
        const std::uint32_t end = stays_[run->last].remove_from;
        if (const std::uint32_t free = cover_.first_free(begin, end); free < end) {
          tasks_.push_back({free, task.end, kNoPlace, task.is_outermost});
          tasks_.push_back({begin, free, kNoPlace, task.is_outermost});
        } else if (const std::optional<std::uint32_t> outer = outer_of(*run); outer.has_value()) {
          // Behind removes that found nothing in the gap before.
          now_ = task.is_outermost ? std::max(now_, 2 * std::uint64_t{begin} - 1) : now_;
          push(order, *outer);
          tasks_.push_back({0, 0, *outer, false});
          tasks_.push_back({begin, end, kNoPlace, false});
        } else {
          return no_outer(*run);
        }
      }
    }
    return {};
  }

 private:
  /// Values whose cores are between two gaps; or the pop of a value.
  struct Task {
    std::uint32_t begin;
    std::uint32_t end;
    std::uint32_t pop;
    bool is_outermost;
  };

  /// Places in the stays.
  struct Run {
    std::uint32_t first;  ///< its push returns first
    std::uint32_t last;   ///< its pop is invoked last
    std::uint32_t end;    ///< all of the run are from `first` to before `end`
  };

  static std::vector<std::int32_t> counts(const std::vector<Stay>& stays, std::uint32_t end) {
    std::vector<std::int32_t> counts(end + 1);
    for (const Stay& stay : stays) {
      ++counts[stay.add_to];
      --counts[stay.remove_from];
    }
    std::partial_sum(counts.begin(), counts.end(), counts.begin());
    return counts;
  }

  std::optional<Run> run_within(const Task& task) {
    const auto after = std::partition_point(
        stays_.begin(), stays_.end(), [&](const Stay& stay) { return stay.add_to < task.end; });
    const auto from = std::partition_point(
        stays_.begin(), after, [&](const Stay& stay) { return stay.add_to < task.begin; });
    const auto end = static_cast<std::uint32_t>(after - stays_.begin());
    const std::uint32_t first = left_.first_from(static_cast<std::uint32_t>(from - stays_.begin()));
    if (first >= end) {
      return std::nullopt;
    }
    return Run{first, last_pop_.greatest(first, end).place, end};
  }

  /// A value that can be pushed before all others of the run and popped after them. A value that
  /// can be pushed first in a run can be so in each part of it. So each value becomes early once.
  std::optional<std::uint32_t> outer_of(const Run& run) {
    for (;;) {
      const MaxTree::Greatest next = late_.greatest(run.first, run.end);
      if (next.value == 0 || kNever - next.value > stays_[run.first].add_to) {
        break;
      }
      late_.set(next.place, 0);
      early_.set(next.place, stays_[next.place].remove_to);
    }
    const MaxTree::Greatest outer = early_.greatest(run.first, run.end);
    return outer.value > stays_[run.last].remove_from ? std::optional(outer.place) : std::nullopt;
  }

  void push(TimedOrder& order, std::uint32_t place) {
    const Stay& stay = stays_[place];
    left_.cross_out(place);
    last_pop_.set(place, 0);
    early_.set(place, 0);
    cover_.take_away(stay.add_to, stay.remove_from);
    now_ = std::max(now_, 2 * std::uint64_t{stay.add_from});
    order.add(now_, 1, stay.add);
  }

  void pop(TimedOrder& order, const Stay& stay) {
    if (stay.remove != kNoPlace) {
      now_ = std::max(now_, 2 * std::uint64_t{stay.remove_from});
      order.add(now_, 1, stay.remove);
    }
  }

  [[nodiscard]] Judgement no_outer(const Run& run) const {
    Judgement judgement = refuted(Pattern::kNoOutermost, {stays_[run.first].add});
    if (const Stay& last = stays_[run.last]; last.remove_from < end_) {
      judgement.places.push_back(last.remove != kNoPlace ? last.remove : help_);
    }
    return judgement;
  }

  const std::vector<Stay>& stays_;
  std::uint32_t end_;
  std::uint32_t help_;  // kNoPlace: the values that stay do so to the end
  Left left_;
  MaxTree last_pop_;  // where the pop of each value begins
  MaxTree late_;      // the push of each value that is not early, the first one greatest
  MaxTree early_;     // where the pop ends, of values that can be pushed first
  CoverTree cover_;
  std::vector<Task> tasks_;
  std::uint64_t now_ = 0;  // instants count twice, so that gaps lie between them
};

/// Judges a stack in which each pop is known.
Judgement judge_known_pops(const Stays& stays) {
  TimedOrder order;
  const Cover cover(stays);
  for (const Remove& empty : stays.empty) {
    const std::optional<std::uint32_t> gap = cover.first_free(empty);
    if (!gap.has_value()) {
      return not_empty(empty, stays);
    }
    order.add(2 * std::uint64_t{*gap} + 1, 0, empty.place);
  }
  std::vector<Stay> with_cores;
  for (Stay stay : stays.stays) {
    if (stay.add_to > stay.remove_from) {
      order.add(2 * std::uint64_t{stay.remove_from}, 1, stay.add);
      order.add(2 * std::uint64_t{stay.remove_from}, 1, stay.remove);
    } else {
      stay.remove_from = std::min(stay.remove_from, stays.instants);
      with_cores.push_back(stay);
    }
  }
  std::sort(with_cores.begin(), with_cores.end(),
            [](const Stay& a, const Stay& b) { return a.add_to < b.add_to; });
  const std::uint32_t help = stays.crashed.empty() ? kNoPlace : stays.crashed.front().place;
  Judgement judgement = Runs(with_cores, stays.instants, help).take_apart(order);
  return judgement.pattern == Pattern::kNone ? linearizable(std::move(order).sorted()) : judgement;
}

/// The deadline of a value that stays: the first end of a pop of a value that is surely below it.
std::vector<std::uint32_t> deadlines_on_stack(const Stays& stays,
                                              std::vector<std::uint32_t> deadlines) {
  std::vector<std::uint32_t> by_push(stays.stays.size());
  std::iota(by_push.begin(), by_push.end(), 0U);
  std::sort(by_push.begin(), by_push.end(), [&](std::uint32_t a, std::uint32_t b) {
    return stays.stays[a].add_to < stays.stays[b].add_to;
  });
  MaxTree first_end(stays.instants + 1);  // by the begin of the pop; the first end is greatest
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < stays.stays.size(); ++i) {
    const Stay& stay = stays.stays[i];
    for (; next < by_push.size() && stays.stays[by_push[next]].add_to < stay.add_from; ++next) {
      const Stay& below = stays.stays[by_push[next]];
      if (below.remove != kNoPlace) {
        first_end.set(below.remove_from, kNever - below.remove_to);
      }
    }
    const std::uint32_t end = kNever - first_end.greatest(stay.add_to, stays.instants).value;
    deadlines[i] = std::min(deadlines[i], end);
  }
  return deadlines;
}

}  // namespace

Judgement judge_stack(const Operations& operations, std::uint64_t work) {
  Stays stays = stays_of(operations);
  if (stays.has_repeated_values) {
    return sweep_container(operations, StackModel(), work);
  }
  if (stays.flaw.pattern != Pattern::kNone) {
    return std::move(stays.flaw);
  }
  Judgement judgement = judge_known_pops(stays);
  if (judgement.answer == Answer::kLinearizable || stays.crashed.empty()) {
    return judgement;
  }
  const CrashedRemoves help(stays);
  judgement = judge_known_pops(help.unlimited());
  if (judgement.answer == Answer::kNotLinearizable) {
    return judgement;
  }
  std::vector<std::uint32_t> gaps = help.gaps(false);
  std::sort(gaps.begin(), gaps.end());
  const std::vector<std::uint32_t> deadlines = deadlines_on_stack(stays, help.deadlines_by(gaps));
  if (const std::optional<Stays> helped = help.given(deadlines)) {
    judgement = judge_known_pops(*helped);
    if (judgement.answer == Answer::kLinearizable) {
      return judgement;
    }
  }
  return sweep_container(operations, StackModel(), work);
}

void StackModel::step(const State& state, const Operation& op, std::vector<State>& next) const {
  if (is_add(op)) {
    next.push_back(state);
    next.back().push_back(op.argument.bits());
  } else if (is_empty_remove(op)) {
    if (state.empty()) {
      next.push_back(state);
    }
  } else if (!state.empty() && (op.result.is_none() || op.result.bits() == state.back())) {
    next.emplace_back(state.begin(), state.end() - 1);
  }
}

}  // namespace elapid::linearize
