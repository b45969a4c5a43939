#include "engine/certify/predictions/no_prediction.h"

#include <string>

#include "engine/certify/patience.h"
#include "engine/certify/predictions/possible_executions.h"

namespace elapid::certify {

namespace {

constexpr std::uint32_t kNoPlace = kNoTxn;

/// Finds the place of each event. Refuses an order that lacks events, or contradicts session order.
Flaw find_places(const KeptSessions& sessions, Visibility target,
                 const std::vector<OrderEvent>& order, std::vector<std::uint32_t>& places) {
  const std::size_t events_each = has_two_events(target) ? 2 : 1;
  std::vector<std::uint32_t> numbers;  // by transaction of the history
  for (std::uint32_t t = 0; t < sessions.txns.size(); ++t) {
    const std::size_t index = sessions.txns[t].txn.index();
    numbers.resize(std::max(numbers.size(), index + 1), kNoTxn);
    numbers[index] = t;
  }
  places.assign(sessions.txns.size() * events_each, kNoPlace);
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    const OrderEvent event = order[place];
    const bool is_known =
        event.txn.index() < numbers.size() && numbers[event.txn.index()] != kNoTxn;
    if (!is_known) {
      return "it names a transaction that no prediction keeps";
    }
    const std::uint32_t t = numbers[event.txn.index()];
    std::uint32_t& known = places[event.is_commit ? commit_of(target, t) : start_of(target, t)];
    if (known != kNoPlace) {
      return "it names an event twice";
    }
    known = place;
  }
  if (order.size() != places.size()) {
    return "it does not have all transactions";
  }
  for (std::uint32_t t = 0; t < sessions.txns.size(); ++t) {
    const std::uint32_t before = sessions.txns[t].before;
    const std::uint32_t start = places[start_of(target, t)];
    if (start > places[commit_of(target, t)] ||
        (before != kNoTxn && places[commit_of(target, before)] > start)) {
      return "it does not keep session order";
    }
  }
  return {};
}

}  // namespace

Flaw check_no_prediction(const History& history, const NoPrediction& claim,
                         const std::function<bool()>& keep_going) {
  KeptSessions sessions;
  if (Flaw flaw = find_kept_sessions(history, sessions)) {
    return flaw;
  }
  PossibleExecutions executions(sessions, claim);
  for (std::size_t i = 0; i < claim.orders.size(); ++i) {
    std::vector<std::uint32_t> places;
    if (Flaw flaw = find_places(sessions, claim.target, claim.orders[i], places)) {
      return "order " + std::to_string(i + 1) + ": " + *flaw;
    }
    executions.exclude_explained(places);
  }
  switch (executions.search(keep_going)) {
    case PossibleExecutions::Left::kNothing:
      return {};
    case PossibleExecutions::Left::kSomething:
      return "the level allows an execution that none of the orders explains";
    case PossibleExecutions::Left::kUnknown:
      return kToldToStop;
  }
  return {};
}

}  // namespace elapid::certify
