#include "engine/linearize/types/fetch_and_add.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/ir/int_map.h"
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

/// By number. Nothing in `judgement` if results are multiples of the delta that can be.
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
      return refuted(Pattern::kAgainstTime, {latest, place});
    }
    append(place);
  }
  return linearizable(std::move(order));
}

}  // namespace

Judgement judge_fetch_and_add(const Operations& operations, const ValuePool& pool,
                              std::uint64_t work) {
  const std::int64_t delta = operations.empty() ? 1 : added_by(operations.front(), pool);
  const bool is_equal = std::all_of(operations.begin(), operations.end(), [&](const Operation& op) {
    return added_by(op, pool) == delta;
  });
  return is_equal && delta != 0 ? judge_equal_deltas(operations, pool, delta)
                                : sweep(operations, FetchAndAddModel(pool), work);
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
