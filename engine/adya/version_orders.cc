#include "engine/adya/version_orders.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/adya/paths.h"

namespace elapid {

VersionOrders::VersionOrders(const CycleProblem& problem, std::span<const DecidedOrder> decided)
    : problem_(problem), positions_(problem.write_count()) {
  std::vector<OnKey> on_keys;
  const Observations& seen = problem.seen();
  for (const DecidedOrder& order : decided) {
    if (!seen.is_present(order.first) || !seen.is_present(order.second)) {
      continue;
    }
    problem.some_shared_key(order.first, order.second, [&](KeyId key) {
      on_keys.push_back({key, order});
      return false;
    });
  }
  std::ranges::sort(on_keys, {}, &OnKey::key);
  auto next = on_keys.begin();
  for (std::uint32_t key = 0; key < problem.history().key_count(); ++key) {
    const auto end = std::find_if(next, on_keys.end(),
                                  [&](const OnKey& entry) { return entry.key != KeyId{key}; });
    sort_key({key}, {next, end});
    begin_.push_back(static_cast<std::uint32_t>(writers_.size()));
    next = end;
  }
}

void VersionOrders::sort_key(KeyId key, std::span<const OnKey> decided) {
  std::vector<std::uint32_t> writers;
  std::ranges::copy_if(problem_.writers(key), std::back_inserter(writers),
                       [this](std::uint32_t t) { return problem_.seen().is_present(t); });
  std::ranges::sort(writers, {}, [&](std::uint32_t t) {
    return std::pair(problem_.depth(problem_.write_of(t, key)), problem_.draft()[t]);
  });
  if (!decided.empty()) {
    // Numbers of transactions become places in `writers`.
    const std::vector<DecidedOrder> orders = constraints(key, decided, writers);
    std::vector<Arc> arcs;
    std::ranges::transform(orders, std::back_inserter(arcs), [](const DecidedOrder& order) {
      return Arc{order.first, order.second};
    });
    const auto count = static_cast<std::uint32_t>(writers.size());
    std::vector<std::uint32_t> ranks;
    std::ranges::transform(writers, std::back_inserter(ranks),
                           [this](std::uint32_t t) { return problem_.draft()[t]; });
    const std::vector<std::uint32_t> order = order_by_rank(count, arcs, ranks);
    if (order.size() < count) {
      ArcBudget budget = {16 * (arcs.size() + std::uint64_t{1})};
      for (const ArcPath& path : cycles_of(count, arcs, 4, budget)) {
        std::vector<OrderEdge>& cycle = cycles_.emplace_back();
        for (const std::uint32_t arc : path) {
          cycle.push_back({{writers[arcs[arc].from]}, {writers[arcs[arc].to]}, Relation::kWw, key});
        }
      }
    } else {
      std::vector<std::uint32_t> sorted;
      std::ranges::transform(order, std::back_inserter(sorted),
                             [&](std::uint32_t place) { return writers[place]; });
      writers = std::move(sorted);
    }
  }
  for (std::uint32_t i = 0; i < writers.size(); ++i) {
    positions_[problem_.write_of(writers[i], key)] = i;
  }
  writers_.insert(writers_.end(), writers.begin(), writers.end());
}

/// The constraints, as places in `writers`, which ascend by depth. Each writer follows the last one
/// of smaller depth.
std::vector<DecidedOrder> VersionOrders::constraints(KeyId key, std::span<const OnKey> decided,
                                                     std::span<const std::uint32_t> writers) const {
  const auto sorting = [&](std::uint32_t t) {
    return std::pair(problem_.depth(problem_.write_of(t, key)), problem_.draft()[t]);
  };
  const auto place = [&](std::uint32_t t) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(writers, sorting(t), {}, sorting) -
                                      writers.begin());
  };
  std::vector<DecidedOrder> orders;
  for (const OnKey& entry : decided) {
    orders.push_back({place(entry.order.first), place(entry.order.second)});
  }
  std::uint32_t shallower = 0;  // how many writers have less depth
  for (std::uint32_t i = 1; i < writers.size(); ++i) {
    if (sorting(writers[i]).first > sorting(writers[i - 1]).first) {
      shallower = i;
    }
    if (shallower > 0) {
      orders.push_back({shallower - 1, i});
    }
  }
  return orders;
}

}  // namespace elapid
