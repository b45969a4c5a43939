#include "engine/saturate/precedence.h"

#include <utility>

#include "engine/infer/order.h"

namespace elapid {

SessionBound session_bound(OrderLevel level) {
  switch (level.visibility) {
    case Visibility::kPram:
    case Visibility::kMonotonicWrites:
      return SessionBound::kWriters;
    case Visibility::kWritesFollowReads:
    case Visibility::kMonotonicReads:
    case Visibility::kReadYourWrites:
      return SessionBound::kNone;
    default:
      return level.sessions ? SessionBound::kAll : SessionBound::kNone;
  }
}

Precedence::Precedence(const Observations& seen, OrderLevel level)
    : seen_(seen), vertex_count_(seen.txn_count()), initial_txn_(Seen::kInitial) {
  const History& history = seen.history();
  const TxnId initial = history.info().initial_txn;
  if (!initial.is_none() && history.committed(initial)) {
    initial_txn_ = initial.value;
  }
  const SessionBound bound = session_bound(level);
  const auto taking_part = [&] {
    std::vector<bool> takes_part(seen.txn_count());
    for (std::uint32_t t = 0; t < seen.txn_count(); ++t) {
      takes_part[t] =
          seen.is_present(t) && (bound == SessionBound::kAll || !seen.written(t).empty());
    }
    return takes_part;
  };
  std::vector<LabelledEdge> edges;
  if (bound == SessionBound::kAll) {
    session_before_ = seen.session_predecessors();
  } else if (bound == SessionBound::kWriters) {
    add_process_edges(history, taking_part(), edges);
  }
  if (level.real_time) {
    add_timeline(history, EventOrder(history), taking_part(), vertex_count_, edges);
  }
  known_.reserve(edges.size() + seen.known_orders().size());
  for (const LabelledEdge& edge : edges) {
    known_.push_back({edge.from, edge.to});
  }
  for (const OrderProblem::KnownOrder& order : seen.known_orders()) {
    known_.push_back({order.before, order.after});
  }
  if (level.visibility == Visibility::kWritesFollowReads) {
    add_writes_after_reads();
  }
  force({}, vertex_count_);
}

/// What a session has read precedes its later writes. One vertex for each transaction stands for
/// all reads of its session so far.
void Precedence::add_writes_after_reads() {
  const std::uint32_t first = vertex_count_;
  vertex_count_ += seen_.txn_count();
  const History& history = seen_.history();
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    TxnId before;
    for (const TxnId txn : history.session_txns({s})) {
      if (!seen_.is_present(txn.value)) {
        continue;
      }
      const std::uint32_t read_by_now = first + txn.value;
      for (const Seen& read : seen_.reads(txn.value)) {
        if (read.is_of_txn()) {
          known_.push_back({read.writer, read_by_now});
        }
      }
      if (!before.is_none()) {
        known_.push_back({first + before.value, read_by_now});
      }
      if (!seen_.written(txn.value).empty()) {
        known_.push_back({read_by_now, txn.value});
      }
      if (history.committed(txn)) {
        before = txn;
      }
    }
  }
}

void Precedence::force(std::span<const ForcedEdge> edges, std::uint32_t vertex_count) {
  vertex_count_ = vertex_count;
  known_.insert(known_.end(), edges.begin(), edges.end());
  if (known_.empty()) {
    return;
  }
  predecessors_ = Adjacency(vertex_count_, known_, [](const ForcedEdge& edge) {
    return std::pair(edge.after, edge.before);
  });
}

/// Seen::kNoTxn if there is none that binds it.
std::uint32_t Precedence::before_in_session(std::uint32_t vertex) const {
  const bool is_bound = vertex < session_before_.size() && seen_.is_present(vertex);
  return is_bound ? session_before_[vertex] : Seen::kNoTxn;
}

bool Precedence::next(std::uint32_t vertex, std::uint32_t& cursor, std::uint32_t& to) const {
  if (cursor == 0) {
    ++cursor;
    to = before_in_session(vertex);
    if (to != Seen::kNoTxn) {
      return true;
    }
  }
  const std::span<const std::uint32_t> known =
      known_.empty() ? std::span<const std::uint32_t>() : predecessors_.of(vertex);
  if (cursor <= known.size()) {
    to = known[cursor++ - 1];
    return true;
  }
  if (vertex >= seen_.txn_count() || !seen_.is_present(vertex)) {
    return false;
  }
  const std::span<const Seen> reads = seen_.reads(vertex);
  const std::size_t end = 1 + known.size() + reads.size();
  while (cursor < end) {
    const Seen& read = reads[cursor++ - known.size() - 1];
    if (read.is_of_txn()) {
      to = read.writer;
      return true;
    }
  }
  if (cursor != end || initial_txn_ == Seen::kInitial || vertex == initial_txn_) {
    return false;
  }
  ++cursor;
  to = initial_txn_;
  return true;
}

std::vector<std::uint32_t> present_in_order(const Observations& seen,
                                            const Components& components) {
  std::vector<std::uint32_t> vertex_at(components.count);  // numbered in the order of precedence
  for (std::uint32_t v = 0; v < components.count; ++v) {
    vertex_at[components.of[v]] = v;
  }
  std::erase_if(vertex_at,
                [&](std::uint32_t v) { return v >= seen.txn_count() || !seen.is_present(v); });
  return vertex_at;
}

}  // namespace elapid
