// The demands on an order of transactions: its members, sessions, and real time.
#include <algorithm>

#include "engine/certify/rows/rows_replay.h"

namespace elapid::certify {

std::optional<std::string> RowsReplay::check_members() const {
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    const bool is_in = committed_[txn.index()] != kNever;
    if (history_.committed(txn) && !is_in) {
      return name(txn) + " committed and is not in the order";
    }
    if (history_.status(txn) == TxnStatus::kAborted && is_in) {
      return name(txn) + " was aborted and is in the order";
    }
  }
  return std::nullopt;
}

std::optional<std::string> RowsReplay::check_orders() const {
  const TxnId initial = history_.info().initial_txn;
  if (!initial.is_none() && history_.committed(initial) &&
      std::ranges::any_of(begun_, [&](std::size_t at) {
        return at != kNever && at != begun_[initial.index()] && at < committed_[initial.index()];
      })) {
    return "a transaction comes before the initial one";
  }
  if (level_.sessions) {
    if (auto flaw = check_sessions()) {
      return flaw;
    }
  }
  return level_.real_time ? check_real_time() : std::nullopt;
}

std::vector<TxnId> RowsReplay::all_txns() const {
  std::vector<TxnId> txns;
  for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
    txns.push_back(txn);
  }
  return txns;
}

std::optional<std::string> RowsReplay::check_sessions() const {
  for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
    TxnId last = TxnId::none();
    for (const TxnId txn : history_.session_txns(session)) {
      const bool is_in = begun_[txn.index()] != kNever;
      if (is_in && !last.is_none() && begun_[txn.index()] <= committed_[last.index()]) {
        return name(txn) + " comes before " + name(last) + ", after which its session ran it";
      }
      last = history_.committed(txn) ? txn : last;
    }
  }
  return std::nullopt;
}

std::optional<std::string> RowsReplay::check_real_time() const {
  if (!history_.info().has_real_time) {
    return "the history records no real time";
  }
  std::vector<TxnId> by_invocation;
  std::vector<TxnId> by_completion;
  for (const TxnId txn : all_txns()) {
    if (begun_[txn.index()] != kNever && history_.has_invocation(txn)) {
      by_invocation.push_back(txn);
    }
    if (history_.committed(txn)) {
      by_completion.push_back(txn);
    }
  }
  std::ranges::sort(by_invocation, {}, [&](TxnId txn) { return history_.invocation_id(txn); });
  std::ranges::sort(by_completion, {}, [&](TxnId txn) { return history_.completion_id(txn); });
  auto next = by_completion.begin();
  TxnId latest = TxnId::none();  // in the order, of those completed so far
  for (const TxnId txn : by_invocation) {
    for (;
         next != by_completion.end() && history_.completion_id(*next) < history_.invocation_id(txn);
         ++next) {
      if (latest.is_none() || committed_[next->index()] > committed_[latest.index()]) {
        latest = *next;
      }
    }
    if (!latest.is_none() && begun_[txn.index()] <= committed_[latest.index()]) {
      return name(txn) + " comes before " + name(latest) +
             ", which had completed when it was invoked";
    }
  }
  return std::nullopt;
}

}  // namespace elapid::certify
