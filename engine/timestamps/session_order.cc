#include "engine/timestamps/session_order.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace elapid {

namespace {

bool has_place(const Timeline& timeline, TxnId txn) {
  return timeline.placement(txn) == Placement::kPlaced ||
         timeline.placement(txn) == Placement::kWrites;
}

/// When a transaction that others must follow has ended: what starts and commits at one time does
/// so after whatever else commits then.
std::pair<std::int64_t, bool> end_of(const Timeline& timeline, TxnId txn) {
  return {timeline.writes_at(txn), timeline.is_instant(txn)};
}

/// Whether a transaction begins before another one that should have ended by then.
bool is_too_early(const Timeline& timeline, TxnId txn, TxnId before) {
  return timeline.read_point() == ReadPoint::kCommit
             ? end_of(timeline, before) > end_of(timeline, txn)
             : timeline.writes_at(before) > timeline.reads_at(txn);
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
    if (has_place(timeline, {t}) && !id({t}).is_none()) {
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
      if (!has_place(timeline, txn)) {
        continue;
      }
      if (!before.is_none() && is_too_early(timeline, txn, before)) {
        found.push_back(evidence(TimestampAxiom::kSession, timeline, before, txn));
      }
      before = history.committed(txn) ? txn : before;
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
      const bool is_later = latest.is_none() || end_of(timeline, other) > end_of(timeline, latest);
      if (history.committed(other) && is_later) {
        latest = other;
      }
    }
    if (!latest.is_none() && is_too_early(timeline, txn, latest)) {
      found.push_back(evidence(TimestampAxiom::kRealTime, timeline, latest, txn));
    }
  }
  std::ranges::sort(found, {}, &TimestampEvidence::txn);
  return found;
}

}  // namespace elapid
