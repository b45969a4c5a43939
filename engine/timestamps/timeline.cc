#include "engine/timestamps/timeline.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace elapid {

namespace {

using Kind = TimelineEvent::Kind;

constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min();

/// All transactions by their last event, which is an order that sessions and real time allow.
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
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    only_reads_[t] = std::ranges::none_of(history.ops({t}), &Op::is_write);
    placements_[t] = place({t});
  }
  // In the order of the rule for ties, which the sort then keeps.
  const std::vector<TxnId> txns = by_completion(history);
  for (const Kind kind : {Kind::kCommit, Kind::kWhole, Kind::kInstant, Kind::kStart}) {
    for (const TxnId txn : txns) {
      if (has_event(txn, kind)) {
        events_.push_back({kind == Kind::kStart ? reads_at(txn) : writes_at(txn), txn, kind});
      }
    }
  }
  sort_by_time(events_);
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

bool Timeline::has_event(TxnId txn, Kind kind) const {
  if (placement(txn) == Placement::kAbsent || placement(txn) == Placement::kUnknown) {
    return false;
  }
  if (is_instant(txn)) {
    return kind == Kind::kInstant;
  }
  if (read_point_ == ReadPoint::kCommit) {
    return kind == Kind::kWhole;
  }
  return kind == Kind::kCommit ? !only_reads(txn)
                               : kind == Kind::kStart && placement(txn) == Placement::kPlaced;
}

void sort_by_time(std::vector<TimelineEvent>& events) {
  constexpr unsigned kDigit = 11;
  constexpr std::size_t kBuckets = std::size_t{1} << kDigit;
  if (std::ranges::is_sorted(events, {}, &TimelineEvent::time)) {
    return;
  }
  const auto [least, most] = std::ranges::minmax_element(events, {}, &TimelineEvent::time);
  const auto base = static_cast<std::uint64_t>(least->time);
  const std::uint64_t range = static_cast<std::uint64_t>(most->time) - base;
  std::vector<TimelineEvent> sorted(events.size());
  for (unsigned shift = 0; shift < 64 && (range >> shift) != 0; shift += kDigit) {
    const auto digit = [&](const TimelineEvent& event) {
      return (static_cast<std::uint64_t>(event.time) - base) >> shift & (kBuckets - 1);
    };
    std::array<std::size_t, kBuckets> place = {};
    for (const TimelineEvent& event : events) {
      ++place[digit(event)];
    }
    std::size_t begin = 0;
    for (std::size_t& entry : place) {
      begin += std::exchange(entry, begin);
    }
    for (const TimelineEvent& event : events) {
      sorted[place[digit(event)]++] = event;
    }
    events.swap(sorted);
  }
}

}  // namespace elapid
