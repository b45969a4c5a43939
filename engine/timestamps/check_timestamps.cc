#include "engine/timestamps/check_timestamps.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "engine/ir/share_work.h"
#include "engine/timestamps/clock_skew.h"
#include "engine/timestamps/maybe_writes.h"
#include "engine/timestamps/origins.h"
#include "engine/timestamps/sweep.h"
#include "engine/timestamps/version_lists.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

namespace {

// SESSION and real time: whether timestamps agree with the order in which clients did things.

bool has_place(const Timeline& timeline, TxnId txn) {
  return timeline.placement(txn) == Placement::kPlaced ||
         timeline.placement(txn) == Placement::kWrites;
}

/// The end of a transaction that others must follow. A transaction that starts and commits at one
/// time ends after all others that commit then.
std::pair<std::int64_t, bool> end_of(const Timeline& timeline, TxnId txn) {
  return {timeline.writes_at(txn), timeline.is_instant(txn)};
}

/// Whether a transaction begins before the end of another one that must precede it.
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

/// Transactions with a place, sorted by one of their events. Those without the event are left out.
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

/// kStartFirst: committed transactions that commit before they start. Linear.
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

/// kSession: transactions that read before the previous one of their session committed, in the
/// order of the history. Only transactions with places count. Indeterminate ones count only as the
/// later of two, since they may have ended at any time. Linear.
std::vector<TimestampEvidence> broken_sessions(const History& history, const Timeline& timeline) {
  const std::size_t parts = parts_of_work(history.txn_count());
  std::vector<std::vector<TimestampEvidence>> of_parts(parts);
  share_work(parts, [&](std::size_t part) {
    for (std::size_t s = part; s < history.session_count(); s += parts) {
      TxnId before = TxnId::none();
      for (const TxnId txn : history.session_txns({static_cast<std::uint32_t>(s)})) {
        if (!has_place(timeline, txn)) {
          continue;
        }
        if (!before.is_none() && is_too_early(timeline, txn, before)) {
          of_parts[part].push_back(evidence(TimestampAxiom::kSession, timeline, before, txn));
        }
        before = history.committed(txn) ? txn : before;
      }
    }
  });
  std::vector<TimestampEvidence> found;
  for (std::vector<TimestampEvidence>& of_part : of_parts) {
    std::ranges::move(of_part, std::back_inserter(found));
  }
  std::ranges::sort(found, {}, &TimestampEvidence::txn);
  return found;
}

/// kRealTime: transactions that read before another one committed, although that one had completed
/// before they were invoked. Each is compared with the latest such commit. Requires real time.
/// O(transactions log transactions).
std::vector<TimestampEvidence> broken_real_time(const History& history, const Timeline& timeline) {
  const std::vector<TxnId> completed = by_event(history, timeline, EventKind::kCompletion);
  std::vector<TimestampEvidence> found;
  std::size_t ended = 0;  // of `completed`: those before this invocation
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

// The order of timestamps as a witness of a valid history.

/// The events of all transactions with a place, in the order of timestamps. If no read or write
/// disagrees with it, the order proves that the history is valid. Transactions that only read
/// commit where they start. O(transactions).
Witness order_of_time(const Timeline& timeline) {
  using TimelineKind = TimelineEvent::Kind;
  Witness witness;
  witness.order.reserve(timeline.events().size());
  for (const TimelineEvent& event : timeline.events()) {
    const bool commits = event.kind != TimelineKind::kStart || timeline.only_reads(event.txn);
    const bool starts =
        event.kind != TimelineKind::kCommit || timeline.placement(event.txn) == Placement::kWrites;
    if (starts && timeline.read_point() == ReadPoint::kStart) {
      witness.order.push_back({event.txn, false});
    }
    if (commits) {
      witness.order.push_back({event.txn, true});
    }
  }
  return witness;
}

std::string transactions(const Doubt& doubt, const History& history) {
  const std::string example =
      "that at index " + std::to_string(history.representative(doubt.example).index);
  return doubt.count == 1 ? "a transaction, " + example + ","
                          : std::to_string(doubt.count) + " transactions, such as " + example + ",";
}

class TimestampCheck {
 public:
  TimestampCheck(const History& history, const TimestampOptions& options)
      : history_(history),
        options_(options),
        timeline_(history, options.read_point),
        maybe_writes_(history, timeline_) {}

  TimestampFindings run() {
    std::optional<SweepFindings> swept =
        sweep(history_, timeline_, maybe_writes_, options_.keep_going);
    if (!swept) {
      found_.was_stopped = true;
      return std::move(found_);
    }
    find_doubt(*swept);
    add(std::move(swept->reads));
    add_conflicts(swept->conflicting);
    add(late_starts(history_, options_.read_point));
    if (options_.sessions) {
      add(broken_sessions(history_, timeline_));
    }
    if (options_.real_time) {
      add(broken_real_time(history_, timeline_));
    }
    finish();
    if (options_.wants_order && found_.violations.empty() && !found_.doubt) {
      found_.order = order_of_time(timeline_);
    }
    return std::move(found_);
  }

 private:
  void add(std::vector<TimestampEvidence> violations) {
    for (const TimestampEvidence& violation : violations) {
      ++found_.counts.by_axiom.at(static_cast<std::size_t>(violation.axiom));
    }
    std::ranges::move(violations, std::back_inserter(found_.violations));
  }

  void add_conflicts(const std::vector<std::pair<TxnId, KeyId>>& writers) {
    if (writers.empty()) {
      return;
    }
    const TimedConflicts conflicts =
        find_conflicts(history_, timeline_, writers, options_.most_conflicts);
    for (const TimedConflict& conflict : conflicts.listed) {
      found_.violations.push_back({.axiom = TimestampAxiom::kNoConflict,
                                   .txn = conflict.later,
                                   .other = conflict.earlier,
                                   .key = conflict.key});
    }
    found_.counts.by_axiom.at(static_cast<std::size_t>(TimestampAxiom::kNoConflict)) =
        conflicts.count;
  }

  void finish() {
    find_origins(history_, timeline_, maybe_writes_, found_.violations);
    if (options_.clock_skew > 0) {
      mark_skewed(history_, timeline_, maybe_writes_,
                  SkewedClocks(options_.clock_skew, history_.info().logical_bits),
                  found_.violations);
    }
    for (const TimestampEvidence& violation : found_.violations) {
      if (violation.axiom == TimestampAxiom::kExt) {
        ++found_.counts.by_origin.at(static_cast<std::size_t>(violation.origin));
      }
      found_.counts.within_clock_skew += violation.within_clock_skew ? 1 : 0;
    }
    std::ranges::sort(found_.violations, {}, [](const TimestampEvidence& violation) {
      return std::tuple(violation.axiom, violation.txn, violation.mop, violation.key,
                        violation.other);
    });
  }

  /// Committed transactions that lack the timestamps that they need, in whole or in part.
  [[nodiscard]] Doubt unplaced() const {
    Doubt doubt;
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (history_.committed({t}) && timeline_.placement({t}) != Placement::kPlaced &&
          TxnId{t} != history_.info().initial_txn) {
        doubt.add(TxnId{t});
      }
    }
    return doubt;
  }

  /// Indeterminate transactions with a commit time and results of reads, also if they only read: it
  /// is unknown whether they committed.
  [[nodiscard]] Doubt claimed() const {
    Doubt doubt;
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      const bool is_claim = history_.status({t}) == TxnStatus::kIndeterminate &&
                            history_.commit_timestamp({t}).has_value() &&
                            std::ranges::any_of(history_.ops({t}), [](Op op) {
                              return op.kind() == OpKind::kReadList ||
                                     (op.kind() == OpKind::kRead && !op.value().is_nil());
                            });
      if (is_claim) {
        doubt.add(TxnId{t});
      }
    }
    return doubt;
  }

  void find_doubt(const SweepFindings& swept) {
    if (const Doubt missing = unplaced(); missing.count > 0) {
      found_.doubt =
          transactions(missing, history_) +
          " lack a timestamp, so their reads or writes have no place in the order of timestamps";
    } else if (swept.tied.count > 0) {
      found_.doubt = transactions(swept.tied, history_) +
                     " read keys that other transactions wrote at the same timestamp, so their "
                     "order is unknown";
    } else if (swept.maybe.count > 0) {
      found_.doubt =
          transactions(swept.maybe, history_) +
          " read writes of transactions without a commit timestamp, so that the time of these "
          "writes is unknown";
    } else if (const Doubt claims = claimed(); claims.count > 0) {
      found_.doubt = transactions(claims, history_) +
                     " may not have committed, so their reads cannot be judged";
    }
  }

  const History& history_;
  const TimestampOptions& options_;
  Timeline timeline_;
  MaybeWrites maybe_writes_;
  TimestampFindings found_;
};

}  // namespace

bool has_timestamps(const History& history) {
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.committed({t}) && (history.start_timestamp({t}) || history.commit_timestamp({t}))) {
      return true;
    }
  }
  return false;
}

TimestampFindings check_timestamps(const History& history, const TimestampOptions& options) {
  return TimestampCheck(history, options).run();
}

}  // namespace elapid
