// BuilderOptions::sorts_sessions: sorts transactions of session traces within their sessions.
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"

namespace elapid {

namespace {

/// Moves the entry of transaction from[t] to t.
template <class T>
void permute(std::vector<T>& column, const std::vector<std::uint32_t>& from) {
  if (column.empty()) {
    return;
  }
  std::vector<T> permuted;
  permuted.reserve(column.capacity());
  for (const std::uint32_t txn : from) {
    permuted.push_back(column[txn]);
  }
  column = std::move(permuted);
}

template <class Map>
void permute(Map& by_txn, const std::vector<std::uint32_t>& to) {
  Map permuted;
  for (auto& [txn, value] : by_txn) {
    permuted.emplace(to[txn], std::move(value));
  }
  by_txn = std::move(permuted);
}

}  // namespace

/// The place of a transaction in its session. The invocation decides; then the completion, the
/// database's timestamps, and the order of the input.
HistoryBuilder::SessionPlace HistoryBuilder::session_place(std::uint32_t txn) const {
  const auto timestamp = [txn](const std::vector<std::int64_t>& column) {
    return column.empty() ? History::kNoTime : column[txn];
  };
  const std::int64_t commit = timestamp(history_.commit_timestamp_);
  return {history_.first_time_[txn], *history_.event({txn}, EventKind::kCompletion).time,
          commit == History::kNoTime ? timestamp(history_.start_timestamp_) : commit};
}

bool HistoryBuilder::sessions_are_sorted() const {
  std::vector<std::optional<SessionPlace>> last(history_.session_count());
  for (std::uint32_t txn = 0; txn < txn_count(); ++txn) {
    std::optional<SessionPlace>& before = last[history_.session({txn}).index()];
    const SessionPlace place = session_place(txn);
    if (before && place < *before) {
      return false;
    }
    before = place;
  }
  return true;
}

/// Renumbers the transactions of each session among themselves, so that their numbers ascend with
/// their order. Linear where they do already, else O(n log n).
void HistoryBuilder::sort_sessions() {
  if (!sessions_are_sorted()) {
    std::vector<std::uint32_t> places(txn_count());
    std::iota(places.begin(), places.end(), 0U);
    const auto session = [this](std::uint32_t txn) { return history_.session({txn}); };
    std::ranges::stable_sort(places, {}, session);
    std::vector<std::uint32_t> sorted = places;
    std::ranges::stable_sort(
        sorted, {}, [&](std::uint32_t txn) { return std::pair(session(txn), session_place(txn)); });
    std::vector<std::uint32_t> from(txn_count());
    std::vector<std::uint32_t> to(txn_count());
    for (std::size_t i = 0; i < places.size(); ++i) {
      from[places[i]] = sorted[i];
      to[sorted[i]] = places[i];
    }
    permute_txns(from, to);
  }
  note_overlaps();
}

/// Remarks on transactions that were invoked before an earlier one of their session completed.
void HistoryBuilder::note_overlaps() {
  std::vector<std::int64_t> ends(history_.session_count(), History::kNoTime);
  for (std::uint32_t txn = 0; txn < txn_count(); ++txn) {
    const SessionId session = history_.session({txn});
    const Event completion = history_.event({txn}, EventKind::kCompletion);
    std::int64_t& end = ends[session.index()];
    if (history_.first_time_[txn] < end) {
      remark(Remark::Kind::kOverlappingProcess, completion.position,
             "process " + history_.session_text(session) +
                 " invokes a transaction before its previous one has completed");
    }
    end = std::max(end, *completion.time);
  }
}

void HistoryBuilder::permute_txns(const std::vector<std::uint32_t>& from,
                                  const std::vector<std::uint32_t>& to) {
  std::vector<Op> ops;
  ops.reserve(history_.ops_.capacity());
  std::vector<std::uint32_t> begin = {0};
  begin.reserve(history_.op_begin_.capacity());
  for (const std::uint32_t txn : from) {
    const std::span<const Op> own = history_.ops({txn});
    ops.insert(ops.end(), own.begin(), own.end());
    begin.push_back(static_cast<std::uint32_t>(ops.size()));
  }
  history_.ops_ = std::move(ops);
  history_.op_begin_ = std::move(begin);
  history_.levels_.permute(from);
  history_.names_.permute(from);
  permute(history_.status_, from);
  permute(history_.session_, from);
  permute(history_.invocation_, from);
  permute(history_.completion_, from);
  permute(history_.first_time_, from);
  permute(history_.time_span_, from);
  permute(history_.first_position_, from);
  permute(history_.position_span_, from);
  permute(history_.start_timestamp_, from);
  permute(history_.commit_timestamp_, from);
  permute(history_.far_completion_time_, to);
  permute(history_.far_completion_position_, to);
  permute(history_.differing_invocations_, to);
}

}  // namespace elapid
