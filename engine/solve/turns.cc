#include "engine/solve/turns.h"

#include <algorithm>
#include <numeric>

namespace elapid {

std::vector<std::uint32_t> turns(const History& history) {
  const auto txn_count = static_cast<std::uint32_t>(history.txn_count());
  std::vector<std::uint32_t> order(txn_count);
  std::iota(order.begin(), order.end(), 0U);
  std::size_t changes = 0;
  for (std::uint32_t t = 1; t < txn_count; ++t) {
    changes += history.session({t}) != history.session({t - 1}) ? 1U : 0U;
  }
  if (changes < history.session_count()) {
    std::vector<std::uint32_t> place(txn_count);
    for (std::uint32_t s = 0; s < history.session_count(); ++s) {
      std::uint32_t next = 0;
      for (const TxnId txn : history.session_txns({s})) {
        place[txn.index()] = next++;
      }
    }
    std::ranges::stable_sort(order, {}, [&](std::uint32_t t) { return place[t]; });
  }
  std::vector<std::uint32_t> turn(txn_count);
  for (std::uint32_t i = 0; i < txn_count; ++i) {
    turn[order[i]] = i;
  }
  return turn;
}

}  // namespace elapid
