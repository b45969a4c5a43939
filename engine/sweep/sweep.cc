#include "engine/sweep/sweep.h"

#include <algorithm>
#include <unordered_set>

namespace elapid {

void add_span(std::vector<TimeSpan>& spans, TimeSpan span) {
  while (!spans.empty() && spans.back().last >= span.first) {
    span.first = std::min(span.first, spans.back().first);
    spans.pop_back();
  }
  spans.push_back(span);
}

void Sweep::add(const IntervalEdge& edge) {
  if (edge.begin() != now_) {
    search_from_waiting();
    now_ = edge.begin();
    forget_before(now_);
  }
  const auto [entry, is_new] = out_.try_emplace(edge.from.txn);
  if (is_new) {
    entry->second.completed = edge.from.completed;
    completions_.emplace(edge.from.completed, edge.from.txn);
  }
  entry->second.to.push_back(edge.to);
  const bool leads_back = edge.to.invoked <= edge.from.invoked && edge.from.invoked >= begin_;
  if (leads_back && std::ranges::find(waiting_, edge.from) == waiting_.end()) {
    waiting_.push_back(edge.from);
  }
}

std::vector<TimeSpan> Sweep::finish() {
  search_from_waiting();
  return std::move(spans_);
}

/// Searches once all edges that begin now are there.
void Sweep::search_from_waiting() {
  for (const TxnInterval& start : waiting_) {
    search(start);
  }
  waiting_.clear();
}

/// Follows dependencies among the transactions that are open when `start` is invoked. A path back
/// to `start` is a cycle. A path to a transaction that completed before is closed by real time.
void Sweep::search(const TxnInterval& start) {
  const std::uint32_t time = start.invoked;
  std::unordered_set<std::uint32_t> seen = {start.txn};
  std::uint32_t first = TxnInterval::kNever;
  stack_.assign(1, start);
  while (!stack_.empty()) {
    const TxnInterval at = stack_.back();
    stack_.pop_back();
    const auto out = out_.find(at.txn);
    if (out == out_.end()) {
      continue;
    }
    for (const TxnInterval& next : out->second.to) {
      if (next.completed < time) {
        first = std::min(first, next.invoked);
      } else if (next.txn == start.txn) {
        first = std::min(first, time);
      } else if (seen.insert(next.txn).second) {
        stack_.push_back(next);
      }
    }
  }
  if (first != TxnInterval::kNever) {
    note({first, time});
  }
}

void Sweep::note(TimeSpan span) {
  if (!shortest_ || span.last - span.first < shortest_->last - shortest_->first) {
    shortest_ = span;
  }
  add_span(spans_, span);
}

/// A transaction that completed in the past is on no path from a later invocation.
void Sweep::forget_before(std::uint32_t time) {
  while (!completions_.empty() && completions_.top().first < time) {
    out_.erase(completions_.top().second);
    completions_.pop();
  }
}

}  // namespace elapid
