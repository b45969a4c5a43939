#include "engine/timestamps/session_order.h"

#include <algorithm>
#include <cstdint>

namespace elapid {

namespace {

bool has_place(const History& history, const Timeline& timeline, TxnId txn) {
  return history.committed(txn) && timeline.placement(txn) == Placement::kPlaced;
}

TimestampEvidence evidence(TimestampAxiom axiom, const Timeline& timeline, TxnId before,
                           TxnId txn) {
  return {.axiom = axiom,
          .at_commit = timeline.read_point() == ReadPoint::kCommit,
          .txn = txn,
          .other = before};
}

/// Transactions with places by one of their events, as far as they have it.
std::vector<TxnId> by_event(const History& history, const Timeline& timeline, EventKind kind) {
  const auto id = [&](TxnId txn) {
    return kind == EventKind::kInvocation ? history.invocation_id(txn) : history.completion_id(txn);
  };
  std::vector<TxnId> txns;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (has_place(history, timeline, {t}) && !id({t}).is_none()) {
      txns.push_back({t});
    }
  }
  std::ranges::sort(txns, {}, id);
  return txns;
}

}  // namespace

std::vector<TimestampEvidence> late_starts(const History& history, ReadPoint read_point) {
  std::vector<TimestampEvidence> found;
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const auto start = history.start_timestamp({t});
    const auto commit = history.commit_timestamp({t});
    if (history.committed({t}) && start && commit && *start > *commit) {
      found.push_back({.axiom = TimestampAxiom::kStartFirst,
                       .at_commit = read_point == ReadPoint::kCommit,
                       .txn = {t}});
    }
  }
  return found;
}

std::vector<TimestampEvidence> broken_sessions(const History& history, const Timeline& timeline) {
  std::vector<TimestampEvidence> found;
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    TxnId before = TxnId::none();
    for (const TxnId txn : history.session_txns({s})) {
      if (!has_place(history, timeline, txn)) {
        continue;
      }
      if (!before.is_none() && timeline.writes_at(before) > timeline.reads_at(txn)) {
        found.push_back(evidence(TimestampAxiom::kSession, timeline, before, txn));
      }
      before = txn;
    }
  }
  std::ranges::sort(found, {}, &TimestampEvidence::txn);
  return found;
}

std::vector<TimestampEvidence> broken_real_time(const History& history, const Timeline& timeline) {
  const std::vector<TxnId> completed = by_event(history, timeline, EventKind::kCompletion);
  std::vector<TimestampEvidence> found;
  std::size_t ended = 0;  // of `completed`, before the invocation looked at
  TxnId latest = TxnId::none();
  for (const TxnId txn : by_event(history, timeline, EventKind::kInvocation)) {
    for (; ended < completed.size() &&
           history.completion_id(completed[ended]) < history.invocation_id(txn);
         ++ended) {
      const TxnId other = completed[ended];
      if (latest.is_none() || timeline.writes_at(other) > timeline.writes_at(latest)) {
        latest = other;
      }
    }
    if (!latest.is_none() && timeline.writes_at(latest) > timeline.reads_at(txn)) {
      found.push_back(evidence(TimestampAxiom::kRealTime, timeline, latest, txn));
    }
  }
  std::ranges::sort(found, {}, &TimestampEvidence::txn);
  return found;
}

}  // namespace elapid
