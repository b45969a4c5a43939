#include "engine/timestamps/timeline.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/ir/share_work.h"

namespace elapid {

namespace {

using TimelineKind = TimelineEvent::Kind;

constexpr std::size_t kKinds = 4;  // of events

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();

/// All transactions by their last event. Sessions and real time allow this order.
std::vector<TxnId> by_completion(const History& history) {
  const auto last_event = [&](TxnId txn) {
    return history.has_completion(txn) ? history.completion_id(txn) : history.invocation_id(txn);
  };
  std::vector<TxnId> txns(history.txn_count());
  for (std::uint32_t t = 0; t < txns.size(); ++t) {
    txns[t] = {t};
  }
  if (!std::ranges::is_sorted(txns, {}, last_event)) {
    std::ranges::sort(txns, {}, last_event);
  }
  return txns;
}

}  // namespace

Timeline::Timeline(const History& history, ReadPoint read_point)
    : history_(history),
      read_point_(read_point),
      placements_(history.txn_count()),
      only_reads_(history.txn_count()) {
  const std::vector<IndexRange> ranges = ranges_of_work(history.txn_count());
  share_work(ranges.size(), [&](std::size_t i) {
    for (TxnId txn{ranges[i].begin}; txn.value < ranges[i].end; ++txn.value) {
      only_reads_[txn.index()] = std::ranges::none_of(history.ops(txn), &Op::is_write) ? 1 : 0;
      placements_[txn.index()] = place(txn);
    }
  });
  make_events();
  sort_by_time(events_);
}

/// Lists the events kind by kind, each by completion. The stable sort keeps this order for ties.
void Timeline::make_events() {
  const std::vector<TxnId> txns = by_completion(history_);
  const std::vector<IndexRange> ranges = ranges_of_work(txns.size());
  std::vector<std::array<std::size_t, kKinds>> next(
      ranges.size());  // by range: counts, then places
  const auto each_of_range = [&](std::size_t i, const auto& visit) {
    for (std::uint32_t at = ranges[i].begin; at < ranges[i].end; ++at) {
      each_event(txns[at], [&](TimelineKind kind, std::int64_t time) {
        visit(next[i][static_cast<std::size_t>(kind)], TimelineEvent{time, txns[at], kind});
      });
    }
  };
  share_work(ranges.size(), [&](std::size_t i) {
    each_of_range(i, [](std::size_t& count, const TimelineEvent& /*event*/) { ++count; });
  });
  std::size_t size = 0;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    for (auto& of_range : next) {
      size += std::exchange(of_range[kind], size);
    }
  }
  events_.resize(size);
  share_work(ranges.size(), [&](std::size_t i) {
    each_of_range(i, [&](std::size_t& at, const TimelineEvent& event) { events_[at++] = event; });
  });
}

Placement Timeline::place(TxnId txn) const {
  const bool has_commit = history_.commit_timestamp(txn).has_value();
  const bool has_start = history_.start_timestamp(txn).has_value();
  switch (history_.status(txn)) {
    case TxnStatus::kAborted:
      return Placement::kAbsent;
    case TxnStatus::kIndeterminate:
      return only_reads(txn) ? Placement::kAbsent
             : has_commit    ? Placement::kWrites
                             : Placement::kUnknown;
    case TxnStatus::kCommitted:
      break;
  }
  if (txn == history_.info().initial_txn && !has_commit) {
    return Placement::kWrites;
  }
  if (read_point_ == ReadPoint::kCommit) {
    return has_commit || (only_reads(txn) && has_start) ? Placement::kPlaced : Placement::kUnknown;
  }
  if (has_start && (has_commit || only_reads(txn))) {
    return Placement::kPlaced;
  }
  return has_commit && !only_reads(txn) ? Placement::kWrites : Placement::kUnknown;
}

std::int64_t Timeline::writes_at(TxnId txn) const {
  const auto commit = history_.commit_timestamp(txn);
  return commit ? *commit : history_.start_timestamp(txn).value_or(kFirst);
}

std::int64_t Timeline::reads_at(TxnId txn) const {
  const std::int64_t commit = writes_at(txn);
  if (read_point_ == ReadPoint::kCommit) {
    return commit;
  }
  return std::min(commit, history_.start_timestamp(txn).value_or(commit));
}

bool Timeline::is_instant(TxnId txn) const {
  if (read_point_ == ReadPoint::kStart) {
    return reads_at(txn) == writes_at(txn);
  }
  const auto start = history_.start_timestamp(txn);
  return start && *start >= writes_at(txn);
}

/// Calls `visit(kind, time)` for each event of a transaction.
template <class Visit>
void Timeline::each_event(TxnId txn, Visit visit) const {
  if (placement(txn) == Placement::kAbsent || placement(txn) == Placement::kUnknown) {
    return;
  }
  const std::int64_t writes = writes_at(txn);
  if (read_point_ == ReadPoint::kCommit) {
    visit(is_instant(txn) ? TimelineKind::kInstant : TimelineKind::kWhole, writes);
    return;
  }
  const std::int64_t reads = reads_at(txn);
  if (reads == writes) {
    visit(TimelineKind::kInstant, writes);
    return;
  }
  if (!only_reads(txn)) {
    visit(TimelineKind::kCommit, writes);
  }
  if (placement(txn) == Placement::kPlaced) {
    visit(TimelineKind::kStart, reads);
  }
}

void sort_by_time(UnsetVector<TimelineEvent>& events) {
  constexpr unsigned kDigit = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
  if (std::ranges::is_sorted(events, {}, &TimelineEvent::time)) {
    return;
  }
  const auto [least, most] = std::ranges::minmax_element(events, {}, &TimelineEvent::time);
  const auto base = static_cast<std::uint64_t>(least->time);
  const std::uint64_t span = static_cast<std::uint64_t>(most->time) - base;
  const std::vector<IndexRange> ranges = ranges_of_work(events.size());
  // By range and bucket: counts, then places.
  std::vector<std::array<std::size_t, kBuckets>> next(ranges.size());
  UnsetVector<TimelineEvent> sorted(events.size());
  for (unsigned shift = 0; shift < 64 && (span >> shift) != 0; shift += kDigit) {
    const auto each_of_range = [&](std::size_t i, const auto& visit) {
      for (std::uint32_t at = ranges[i].begin; at < ranges[i].end; ++at) {
        const std::uint64_t since = static_cast<std::uint64_t>(events[at].time) - base;
        visit(next[i][since >> shift & (kBuckets - 1)], events[at]);
      }
    };
    share_work(ranges.size(), [&](std::size_t i) {
      next[i].fill(0);
      each_of_range(i, [](std::size_t& count, const TimelineEvent& /*event*/) { ++count; });
    });
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
      for (auto& of_range : next) {
        begin += std::exchange(of_range[bucket], begin);
      }
    }
    share_work(ranges.size(), [&](std::size_t i) {
      each_of_range(i, [&](std::size_t& at, const TimelineEvent& event) { sorted[at++] = event; });
    });
    events.swap(sorted);
  }
}

}  // namespace elapid
