#include "engine/certify/orders/commit_places.h"

#include <algorithm>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

SessionBound session_bound(OrderLevel level) {
  switch (level.visibility) {
    case Visibility::kPram:
    case Visibility::kMonotonicWrites:
      return SessionBound::kWriters;
    case Visibility::kWritesFollowReads:
      return SessionBound::kReadFrom;
    case Visibility::kMonotonicReads:
    case Visibility::kReadYourWrites:
      return SessionBound::kNone;
    default:
      return level.sessions ? SessionBound::kAll : SessionBound::kNone;
  }
}

Flaw CommitPlaces::read(const History& history, OrderLevel level,
                        std::span<const OrderEvent> order) {
  order_ = order;
  place_.assign(history.txn_count(), kNowhere);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const TxnId txn = order[i].txn;
    if (!is_participant(history, txn)) {
      return "transaction number " + std::to_string(txn.value) +
             " does not exist or aborted, and is in the order";
    }
    if (!order[i].is_commit || has(txn)) {
      return txn_text(history, txn) + " is in the order twice, or with a start of its own";
    }
    place_[txn.index()] = i;
  }
  if (Flaw flaw = check_presence(history)) {
    return flaw;
  }
  if (Flaw flaw = check_sessions(history, session_bound(level))) {
    return flaw;
  }
  bound_ = session_bound(level);
  return level.real_time ? check_real_time(history, order, true) : Flaw();
}

Flaw CommitPlaces::check_presence(const History& history) const {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t}) && !has({t})) {
      return txn_text(history, {t}) + " committed and is not in the order";
    }
  }
  const TxnId initial = history.info().initial_txn;
  if (!initial.is_none() && history.committed(initial) && of(initial) != 0) {
    return txn_text(history, initial) + " wrote the initial state and does not come first";
  }
  return {};
}

/// SessionBound::kReadFrom is checked by visible_writes.h, where reads are known.
Flaw CommitPlaces::check_sessions(const History& history, SessionBound bound) const {
  if (bound == SessionBound::kNone || bound == SessionBound::kReadFrom) {
    return {};
  }
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    TxnId last;
    for (const TxnId txn : history.session_txns({s})) {
      if (!has(txn) || (bound == SessionBound::kWriters && !writes_something(history, txn))) {
        continue;
      }
      if (!last.is_none() && of(last) > of(txn)) {
        return txn_text(history, last) + " comes before " + txn_text(history, txn) +
               " in its session, but not in the order";
      }
      if (history.committed(txn)) {
        last = txn;
      }
    }
  }
  return {};
}

Flaw check_real_time(const History& history, std::span<const OrderEvent> order,
                     bool starts_at_commit) {
  if (!history.info().has_real_time) {
    return "the history records no real time";
  }
  TxnId latest;  // invoked, of those that started so far
  for (const OrderEvent event : order) {
    const TxnId txn = event.txn;
    if (event.is_commit && !latest.is_none() && history.committed(txn) &&
        history.completion_id(txn) < history.invocation_id(latest)) {
      return txn_text(history, txn) + " completed before " + txn_text(history, latest) +
             " was invoked, but comes after it in the order";
    }
    const bool starts = !event.is_commit || starts_at_commit;
    if (starts && history.has_invocation(txn) &&
        (latest.is_none() || history.invocation_id(latest) < history.invocation_id(txn))) {
      latest = txn;
    }
  }
  return {};
}

ListVersionsInOrder::ListVersionsInOrder(const History& history, const CommitPlaces& places)
    : history_(history), places_(places), is_list_(history.has_lists()) {
  if (!is_list_) {
    return;
  }
  for (const OrderEvent event : places.order()) {
    for (const Op op : effective_ops(history, event.txn)) {
      if (op.kind() == OpKind::kAppend) {
        appends_.push_back({op.key(), places.of(event.txn), op.value()});
      }
    }
  }
  std::ranges::stable_sort(appends_, {}, &Append::key);
  for (std::uint32_t key = 0; key <= history.key_count(); ++key) {
    const auto at = std::ranges::lower_bound(appends_, KeyId{key}, {}, &Append::key);
    begin_.push_back(static_cast<std::uint32_t>(at - appends_.begin()));
  }
  for (std::uint32_t key = 0; key < history.key_count(); ++key) {
    const std::span<const ValueId> trunk = history.trunk({key});
    std::uint32_t agreed = 0;
    while (agreed < trunk.size() && begin_[key] + agreed < begin_[key + 1] &&
           appends_[begin_[key] + agreed].element == trunk[agreed]) {
      ++agreed;
    }
    trunk_agrees_.push_back(agreed);
  }
}

bool ListVersionsInOrder::agrees(const KeyRead& read, TxnId writer) const {
  if (!is_list_) {
    return true;
  }
  const std::uint32_t key = read.op.key().value;
  const auto all = std::span(appends_).subspan(begin_[key], begin_[key + 1] - begin_[key]);
  const auto end = std::ranges::upper_bound(all, places_.of(writer), {}, &Append::place);
  const auto version = all.first(static_cast<std::size_t>(end - all.begin()));
  const std::span<const ValueId> list = history_.elements(read.op);
  if (list.size() != version.size() + read.own) {
    return false;
  }
  if (read.op.list().is_prefix()) {
    return version.size() <= trunk_agrees_[key];
  }
  return std::ranges::equal(list.first(version.size()), version, {}, {}, &Append::element);
}

}  // namespace elapid::certify
