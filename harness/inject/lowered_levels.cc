#include "harness/inject/lowered_levels.h"

#include <algorithm>
#include <utility>

#include "engine/levels/txn_levels.h"
#include "engine/solve/solve.h"

namespace elapid {

namespace {

bool is_wrong(const History& history, std::span<const OrderLevel> levels,
              const std::vector<std::size_t>& places) {
  std::vector<OrderLevel> by_txn;
  for (const std::size_t place : places) {
    by_txn.push_back(levels[place]);
  }
  return solve_mixed(history, TxnLevels(std::move(by_txn))).validity == Validity::kInvalid;
}

}  // namespace

std::vector<std::size_t> lowest_wrong_levels(const History& history,
                                             std::span<const OrderLevel> levels) {
  std::vector<std::size_t> places(history.txn_count(), levels.size() - 1);
  if (places.empty() || !is_wrong(history, levels, places)) {
    return {};
  }
  for (std::size_t& place : places) {
    const std::size_t strongest = place;
    for (place = 0; place < strongest && !is_wrong(history, levels, places);) {
      ++place;
    }
  }
  std::vector<TxnId> order(history.txn_count());
  for (std::size_t t = 0; t < order.size(); ++t) {
    order[t] = TxnId{static_cast<std::uint32_t>(t)};
  }
  std::ranges::sort(order, {}, [&](TxnId txn) { return history.invocation_id(txn); });
  std::vector<std::size_t> in_order;
  for (const TxnId txn : order) {
    in_order.push_back(places[txn.index()]);
  }
  return in_order;
}

}  // namespace elapid
