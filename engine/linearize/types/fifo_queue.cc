#include "engine/linearize/types/fifo_queue.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/linearize/types/cover.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/value_order.h"

namespace elapid::linearize {
namespace {

/// The operations in the order of the values: each enqueue and dequeue as soon as it may.
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

/// Of a queue in which each remove is known.
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

/// The removes that never returned, and the values that stay without them.
class Help {
 public:
  explicit Help(const Stays& stays) : stays_(stays) {}

  /// Each value that stays is removed as early as any of these may.
  [[nodiscard]] Stays unlimited() const {
    Stays helped = stays_;
    for (Stay& stay : helped.stays) {
      if (stay.remove == kNoPlace) {
        stay.remove_from = std::max(stay.add_from, stays_.crashed.front().from);
        stay.remove_to = kLast;
      }
    }
    return helped;
  }

  /// Each of these takes one value, before each gap those that were surely added; none if they do
  /// not suffice.
  [[nodiscard]] std::optional<Stays> limited(const std::vector<std::uint32_t>& gaps) const {
    struct Need {
      std::uint32_t deadline;
      std::uint32_t stay;
    };

    const std::vector<std::uint32_t> first_end = first_ends_from();
    std::vector<Need> needs;
    for (std::uint32_t i = 0; i < stays_.stays.size(); ++i) {
      const Stay& stay = stays_.stays[i];
      if (stay.remove != kNoPlace) {
        continue;
      }
      const auto after =
          std::partition_point(stays_.stays.begin(), stays_.stays.end(),
                               [&](const Stay& other) { return other.add_from < stay.add_to; });
      const auto gap = std::lower_bound(gaps.begin(), gaps.end(), stay.add_to);
      const std::uint32_t by_order =
          first_end[static_cast<std::size_t>(after - stays_.stays.begin())];
      const std::uint32_t by_gap = gap == gaps.end() ? kNever : *gap + 1;
      if (std::min(by_order, by_gap) != kNever) {
        needs.push_back({std::min(by_order, by_gap), i});
      }
    }
    std::sort(needs.begin(), needs.end(),
              [](const Need& a, const Need& b) { return a.deadline < b.deadline; });
    Stays helped = stays_;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      if (i == stays_.crashed.size() || stays_.crashed[i].from >= needs[i].deadline) {
        return std::nullopt;
      }
      Stay& stay = helped.stays[needs[i].stay];
      stay.remove = stays_.crashed[i].place;
      stay.remove_from = std::max(stay.add_from, stays_.crashed[i].from);
      stay.remove_to = kLast;
    }
    return helped;
  }

  /// For each remove that found nothing a gap in which nothing is inside that others removed, and
  /// not more else than these may have taken: the first or the last one; none if there is none.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> gaps(bool is_last) const {
    Stays removed = stays_;
    std::erase_if(removed.stays, [](const Stay& stay) { return stay.remove == kNoPlace; });
    std::vector<bool> is_free = free_gaps(removed);
    std::vector<std::uint32_t> chosen;
    for (const Remove& remove : stays_.empty) {
      std::optional<std::uint32_t> gap;
      for (std::uint32_t g = remove.from; g < remove.to && (is_last || !gap.has_value()); ++g) {
        gap = is_free[g] ? std::optional(g) : gap;
      }
      if (!gap.has_value()) {
        return std::nullopt;
      }
      chosen.push_back(*gap);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }

 private:
  /// Of the stays from each place on, the first end of a remove.
  [[nodiscard]] std::vector<std::uint32_t> first_ends_from() const {
    std::vector<std::uint32_t> ends(stays_.stays.size() + 1, kNever);
    for (std::size_t i = stays_.stays.size(); i-- > 0;) {
      ends[i] = std::min(ends[i + 1], stays_.stays[i].remove_to);
    }
    return ends;
  }

  [[nodiscard]] std::vector<bool> free_gaps(const Stays& removed) const {
    std::vector<std::int32_t> balance(stays_.instants + 1);
    for (const Stay& stay : stays_.stays) {
      balance[stay.add_to] -= stay.remove == kNoPlace ? 1 : 0;
    }
    for (const Remove& crashed : stays_.crashed) {
      ++balance[crashed.from];
    }
    const Cover cover(removed);
    std::vector<bool> is_free(stays_.instants);
    std::int32_t left = 0;
    for (std::uint32_t gap = 0; gap < stays_.instants; ++gap) {
      left += balance[gap];
      is_free[gap] = left >= 0 && cover.first_free({0, gap, gap + 1}).has_value();
    }
    return is_free;
  }

  const Stays& stays_;
};

/// kUnknown if the bounds do not decide.
Judgement judge_by_bounds(const Stays& stays) {
  Judgement judgement = judge_known(stays);
  if (judgement.answer == Answer::kLinearizable || stays.crashed.empty()) {
    return judgement;
  }
  const Help help(stays);
  if (Judgement relaxed = judge_known(help.unlimited());
      relaxed.answer == Answer::kNotLinearizable) {
    return relaxed;
  }
  for (const bool is_last : {false, true}) {
    const std::optional<std::vector<std::uint32_t>> gaps = help.gaps(is_last);
    if (!gaps.has_value()) {
      return judgement;  // the removes that never returned are too few
    }
    if (const std::optional<Stays> helped = help.limited(*gaps); helped.has_value()) {
      return judge_known(*helped);  // by the exchange it is right
    }
    if (gaps->empty()) {
      return judgement;
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
  return sweep(operations, FifoQueueModel(), work);
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
