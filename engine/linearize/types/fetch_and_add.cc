#include "engine/linearize/types/fetch_and_add.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/growing_counter.h"
#include "engine/linearize/types/model_sweep.h"

namespace elapid::linearize {
namespace {

__extension__ using Wide = __int128;

std::int64_t added_by(const Operation& op, const ValuePool& pool) {
  return pool.as_integer(op.argument).value_or(0);
}

std::int64_t shown_by(const Operation& op, const ValuePool& pool) {
  return pool.as_integer(op.result).value_or(0);
}

struct Numbered {
  std::uint32_t number;  ///< of operations before it
  std::uint32_t place;
};

/// The operations that returned, by number. Refutes if a result is no possible multiple of the
/// delta.
std::vector<Numbered> numbered(const Operations& operations, const ValuePool& pool,
                               std::int64_t delta, Judgement& judgement) {
  std::vector<Numbered> all;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    if (operations[place].is_open()) {
      continue;
    }
    const Wide sum = shown_by(operations[place], pool);
    if (sum % delta != 0 || sum / delta < 0 || sum / delta >= Wide{operations.size()}) {
      judgement = refuted(Pattern::kGap, {place});
      return {};
    }
    all.push_back({static_cast<std::uint32_t>(sum / delta), place});
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
  return all;
}

Judgement judge_equal_deltas(const Operations& operations, const ValuePool& pool,
                             std::int64_t delta) {
  Judgement judgement;
  const std::vector<Numbered> all = numbered(operations, pool, delta, judgement);
  if (judgement.pattern != Pattern::kNone) {
    return judgement;
  }
  std::vector<std::uint32_t> order;
  std::uint32_t crashed = 0;
  std::uint32_t latest = 0;  // place of the latest invocation in the order
  const auto append = [&](std::uint32_t place) {
    latest =
        order.empty() || operations[place].invoked > operations[latest].invoked ? place : latest;
    order.push_back(place);
  };
  for (const auto& [number, place] : all) {
    if (number < order.size()) {
      return refuted(Pattern::kSameResult, {order.back(), place});
    }
    while (order.size() < number) {
      while (crashed < operations.size() && !operations[crashed].is_open()) {
        ++crashed;
      }
      if (crashed == operations.size()) {
        return refuted(Pattern::kGap, {place});
      }
      append(crashed++);
    }
    if (!order.empty() && operations[latest].invoked > operations[place].returned) {
      return operations[latest].is_open() ? refuted(Pattern::kGap, {place})
                                          : refuted(Pattern::kAgainstTime, {latest, place});
    }
    append(place);
  }
  return linearizable(std::move(order));
}

struct Shown {
  Wide sum;
  std::uint32_t place;
};

/// For numbers of one sign, none 0: the operations that returned, ordered by what they show, and
/// before each the sum that only operations without a return can have added.
struct ByResults {
  std::vector<Shown> shown = {};
  std::vector<std::int64_t> missing = {};
};

Wide size_of(const Operation& op, const ValuePool& pool) {
  const Wide added = added_by(op, pool);
  return added < 0 ? -added : added;
}

/// Refutes if results contradict one another.
ByResults by_results(const Operations& operations, const ValuePool& pool, Judgement& judgement) {
  ByResults all;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    const bool falls = added_by(operations[place], pool) < 0;
    if (!operations[place].is_open()) {
      all.shown.push_back({Wide{shown_by(operations[place], pool)} * (falls ? -1 : 1), place});
    }
  }
  std::ranges::stable_sort(all.shown, {}, &Shown::sum);
  Wide sum = 0;  // of the operations that returned
  Wide missing = 0;
  std::uint32_t latest = 0;  // place of the latest invocation so far
  for (std::size_t i = 0; i < all.shown.size(); ++i) {
    const auto [shown, place] = all.shown[i];
    const bool is_first = i == 0;
    if (!is_first && shown == all.shown[i - 1].sum) {
      judgement = refuted(Pattern::kSameResult, {all.shown[i - 1].place, place});
    } else if (shown < sum + missing) {
      judgement = refuted(Pattern::kGap, {place});
    } else if (!is_first && operations[latest].invoked > operations[place].returned) {
      judgement = refuted(Pattern::kAgainstTime, {latest, place});
    }
    if (judgement.pattern != Pattern::kNone) {
      return all;
    }
    missing = shown - sum;
    all.missing.push_back(static_cast<std::int64_t>(missing));
    sum += size_of(operations[place], pool);
    const bool is_later = operations[place].invoked > operations[latest].invoked;
    latest = is_first || is_later ? place : latest;
  }
  return all;
}

struct CounterOfGaps {
  Operations operations = {};
  std::vector<std::int64_t> numbers = {};    ///< see judge_growing_counter()
  std::vector<std::uint32_t> place_of = {};  ///< among the operations that were given
};

/// Each missing sum becomes a read of a counter, to which the operations that never returned add.
/// The read is at the first return of the operations that show as much or more. All operations
/// invoked before that may have come before.
CounterOfGaps counter_of_gaps(const Operations& operations, const ByResults& all,
                              const ValuePool& pool) {
  std::vector<std::uint32_t> until(all.shown.size() + 1, kNever);
  for (std::size_t i = all.shown.size(); i-- > 0;) {
    until[i] = std::min(until[i + 1], operations[all.shown[i].place].returned);
  }
  CounterOfGaps counter;
  const auto add = [&counter](Operation operation, std::int64_t number, std::uint32_t place) {
    counter.operations.push_back(operation);
    counter.numbers.push_back(number);
    counter.place_of.push_back(place);
  };
  std::uint32_t next = 0;
  for (std::size_t i = 0; i <= all.shown.size(); ++i) {
    for (; next < operations.size() && operations[next].invoked < until[i]; ++next) {
      if (operations[next].is_open()) {
        add({.invoked = operations[next].invoked, .f = static_cast<std::uint8_t>(CounterF::kAdd)},
            static_cast<std::int64_t>(size_of(operations[next], pool)), next);
      }
    }
    if (i < all.shown.size()) {
      add({.invoked = until[i],
           .returned = until[i],
           .f = static_cast<std::uint8_t>(CounterF::kRead)},
          all.missing[i], all.shown[i].place);
    }
  }
  return counter;
}

/// No answer if the adds have too many different numbers.
std::optional<Judgement> judge_by_results(const Operations& operations, const ValuePool& pool,
                                          std::uint64_t work) {
  Judgement judgement;
  const ByResults all = by_results(operations, pool, judgement);
  if (judgement.pattern != Pattern::kNone) {
    return judgement;
  }
  const CounterOfGaps counter = counter_of_gaps(operations, all, pool);
  const std::vector<OperationEvent> events = events_of(counter.operations);
  if (!can_be_followed(counter.operations, events, counter.numbers)) {
    return std::nullopt;
  }
  judgement = judge_growing_counter(counter.operations, events, counter.numbers, work);
  judgement.pattern = judgement.pattern == Pattern::kNone ? Pattern::kNone : Pattern::kGap;
  // The reads of an order come in the order of what the operations show, except reads of one number
  // at one instant. These are exchanged here; both orders of them keep real time.
  std::size_t next = 0;
  for (std::uint32_t& i : judgement.order) {
    i = counter.operations[i].is_open() ? counter.place_of[i] : all.shown[next++].place;
  }
  for (std::uint32_t& i : judgement.places) {
    i = counter.place_of[i];
  }
  return judgement;
}

/// Whether all deltas have one sign, and their sum is an integer.
bool only_grows_or_shrinks(const Operations& operations, const ValuePool& pool) {
  Wide sum = 0;
  for (const Operation& op : operations) {
    const Wide added = added_by(op, pool);
    if (added == 0 || (added < 0) != (added_by(operations.front(), pool) < 0)) {
      return false;
    }
    sum += added < 0 ? -added : added;
  }
  return sum < Wide{1} << 62;
}

}  // namespace

Judgement judge_fetch_and_add(const Operations& operations, const ValuePool& pool,
                              std::uint64_t work) {
  const bool hides_result = std::ranges::any_of(
      operations, [](const Operation& op) { return !op.is_open() && op.result.is_none(); });
  if (hides_result) {
    return sweep(operations, FetchAndAddModel(pool), work);
  }
  const std::int64_t delta = operations.empty() ? 1 : added_by(operations.front(), pool);
  const bool is_equal = std::all_of(operations.begin(), operations.end(), [&](const Operation& op) {
    return added_by(op, pool) == delta;
  });
  if (is_equal && delta != 0) {
    return judge_equal_deltas(operations, pool, delta);
  }
  if (only_grows_or_shrinks(operations, pool)) {
    if (std::optional<Judgement> judgement = judge_by_results(operations, pool, work)) {
      return *std::move(judgement);
    }
  }
  return sweep(operations, FetchAndAddModel(pool), work);
}

Judgement judge_unique_ids(const Operations& operations) {
  IntMap place_of;
  std::vector<std::uint32_t> order;
  for (std::uint32_t place = 0; place < operations.size(); ++place) {
    if (operations[place].is_open()) {
      continue;
    }
    const std::uint32_t first = place_of.find_or_add(operations[place].result.bits(), place);
    if (first != place) {
      return refuted(Pattern::kSameResult, {first, place});
    }
    order.push_back(place);
  }
  return linearizable(std::move(order));
}

void UniqueIdsModel::step(const State& state, const Operation& op, std::vector<State>& next) const {
  const auto at = std::ranges::lower_bound(state, op.result.bits());
  if (at == state.end() || *at != op.result.bits()) {
    State& more = next.emplace_back(state);
    more.insert(more.begin() + (at - state.begin()), op.result.bits());
  }
}

void FetchAndAddModel::step(const State& state, const Operation& op,
                            std::vector<State>& next) const {
  const std::uint64_t sum = std::uint64_t{state[1]} << 32 | state[0];
  if (op.result.is_none() || static_cast<std::uint64_t>(shown_by(op, pool_)) == sum) {
    const std::uint64_t after = sum + static_cast<std::uint64_t>(added_by(op, pool_));
    next.push_back({static_cast<std::uint32_t>(after), static_cast<std::uint32_t>(after >> 32)});
  }
}

}  // namespace elapid::linearize
