#include "adapter/cli/reports/order_found.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "harness/minimize/draft.h"

namespace elapid {
namespace {

/// Operations of a history whose beginning is judged again, which takes 0.5 KB each.
constexpr std::size_t kMostJudgedAgain = 500'000;

/// The operations of what was searched and has no order; empty where something else was shown.
std::vector<TxnId> core_of(const Verdict& verdict) {
  for (const LevelAnswer& level : verdict.levels) {
    if (level.failure) {
      return level.failure->txns;
    }
  }
  return {};
}

/// In order of their objects, if the verdict has an order.
std::vector<TxnId> order_of(const Verdict& verdict) {
  std::vector<TxnId> order;
  for (const LevelAnswer& level : verdict.levels) {
    if (level.witness && order.empty()) {
      for (const OrderEvent& event : level.witness->order) {
        order.push_back(event.txn);
      }
    }
  }
  return order;
}

/// The part of the order on the object that has most of it.
std::vector<TxnId> longest_part(const History& history, std::vector<TxnId> order) {
  const std::vector<std::uint32_t> objects = objects_of_txns(history);
  std::unordered_map<std::uint32_t, std::size_t> counts;
  std::uint32_t most = order.empty() ? 0 : objects[order.front().index()];
  for (const TxnId txn : order) {
    const std::uint32_t object = objects[txn.index()];
    most = ++counts[object] > counts[most] ? object : most;
  }
  std::erase_if(order, [&](TxnId txn) { return objects[txn.index()] != most; });
  return order;
}

/// The operations of the object before the return of `stop`: those that return later are open.
Draft before_return(const History& history, const std::vector<std::uint32_t>& objects, TxnId stop) {
  const EventId end = history.completion_id(stop);
  std::vector<TxnId> txns;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const bool is_before = !history.has_invocation(txn) || history.invocation_id(txn) < end;
    if (is_before && objects[txn.index()] == objects[stop.index()]) {
      txns.push_back(txn);
    }
  }
  Draft draft = draft_of(history, txns);
  for (std::size_t i = 0; i < txns.size(); ++i) {
    if (history.has_completion(txns[i]) && history.completion_id(txns[i]) >= end) {
      DraftTxn& txn = draft.edit(i);
      txn.status = TxnStatus::kIndeterminate;
      txn.completion.reset();
    }
  }
  return draft;
}

}  // namespace

OrderFound order_found(const History& history, const Verdict& verdict,
                       const CheckOptions& options) {
  if (verdict.engine != "linearize") {
    return {};
  }
  std::vector<TxnId> core = core_of(verdict);
  if (core.empty()) {  // as where only too few operations succeeded
    return {.order = longest_part(history, order_of(verdict))};
  }
  if (history.txn_count() > kMostJudgedAgain) {
    return {};
  }
  const std::vector<std::uint32_t> objects = objects_of_txns(history);
  EventId end = EventId::none();  // of the beginning that the core is of: after all events
  const auto has_returned = [&](TxnId txn) {
    return history.committed(txn) && history.completion_id(txn) < end;
  };
  while (std::ranges::any_of(core, has_returned)) {
    const TxnId stop = *std::ranges::max_element(core, {}, [&](TxnId txn) {
      return has_returned(txn) ? history.completion_id(txn) : EventId{0};
    });
    end = history.completion_id(stop);
    const Result<BuiltDraft> beginning = build(before_return(history, objects, stop));
    const Result<Verdict> judged =
        beginning ? check(beginning.value().history, options) : Result<Verdict>(Verdict());
    if (!beginning || !judged || judged.value().validity == Validity::kUnknown) {
      return {};
    }
    const auto in_whole = [&](std::vector<TxnId> txns) {
      for (TxnId& txn : txns) {
        txn = beginning.value().origins[txn.index()];
      }
      return txns;
    };
    if (judged.value().validity == Validity::kValid) {
      return {.order = in_whole(order_of(judged.value())), .stops_at = stop, .core = core};
    }
    core = in_whole(core_of(judged.value()));
  }
  return {};
}

}  // namespace elapid
