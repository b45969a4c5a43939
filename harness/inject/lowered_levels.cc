#include "harness/inject/lowered_levels.h"

#include <algorithm>
#include <utility>

#include "engine/check/check.h"

namespace elapid {

namespace {

bool is_wrong(History& history, std::span<const Model> levels,
              const std::vector<std::size_t>& places) {
  TxnWords words;
  for (const std::size_t place : places) {
    words.push_back(words.number(friendly_name(levels[place])));
  }
  history.set_levels(std::move(words));
  const Result<Verdict> verdict =
      check(history, {.by_transaction = true, .minimal_proofs = false, .certify = false});
  return verdict && verdict.value().validity == Validity::kInvalid;
}

}  // namespace

std::vector<std::size_t> lowest_wrong_levels(History history, std::span<const Model> levels) {
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
  in_order.reserve(order.size());
  for (const TxnId txn : order) {
    in_order.push_back(places[txn.index()]);
  }
  return in_order;
}

}  // namespace elapid
