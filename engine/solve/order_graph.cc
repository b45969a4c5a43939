#include "engine/solve/order_graph.h"

#include <algorithm>
#include <utility>

#include "engine/infer/order.h"

namespace elapid {

OrderGraph::OrderGraph(const OrderProblem& problem, const TxnLevels& levels)
    : has_sessions_(!levels.any([](OrderLevel level) { return !level.sessions; })),
      events_(problem.txn_count(), levels),
      vertex_count_(events_.count()) {
  edges_.reserve(problem.txn_count() * std::size_t{2} + problem.reads().size());
  add_own_edges(problem);
  add_initial_txn(problem);
  std::vector<bool> is_present(problem.txn_count());
  for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
    is_present[t] = problem.presence(t) != Presence::kAbsent;
  }
  if (levels.any([](OrderLevel level) { return level.real_time; })) {
    add_real_time(problem.history(), levels, is_present);
  }
  if (has_sessions_) {
    add_sessions(problem.history(), is_present);
  } else if (levels.any([](OrderLevel level) { return level.sessions; })) {
    add_sessions_to_some(problem.history(), levels, is_present);
  }
  for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
    add_read_from(problem, r);
  }
  add_first_writes(problem);
  for (const OrderProblem::KnownOrder& known : problem.known_orders()) {
    add({events_.commit(known.before), events_.barrier(known.after), EdgeReason::kListOrder,
         known.key.value});
  }
  add_key_links(problem);
  add_lists(problem);
}

Adjacency OrderGraph::successors() const {
  return {vertex_count_, edges_,
          [](const EventEdge& edge) { return std::pair(edge.from(), edge.to()); }};
}

void OrderGraph::add_read_from(const OrderProblem& problem, std::uint32_t read) {
  const WriteRef writer = problem.writer_of(read);
  if (writer != kOpenWriter && writer != kInitialState) {
    add({events_.commit(problem.write(writer).txn), events_.read_event(problem.reads()[read]),
         EdgeReason::kReadFrom, read});
    for (const KeyLink& link : problem.links_from(read)) {
      const auto number = static_cast<std::uint32_t>(&link - problem.key_links().data());
      if (link.second_read && link.second != problem.write(writer).txn) {
        add({events_.commit(problem.write(writer).txn), events_.start(link.second),
             EdgeReason::kKeyOrder, number});
      }
    }
  }
}

/// Adds links between operations on one key, except those of two reads. add_read_from adds these
/// with the first read's writer.
void OrderGraph::add_key_links(const OrderProblem& problem) {
  for (std::uint32_t l = 0; l < problem.key_links().size(); ++l) {
    const KeyLink& link = problem.key_links()[l];
    if (link.first_wrote) {
      add({events_.commit(link.first),
           link.second_read ? events_.start(link.second) : events_.barrier(link.second),
           EdgeReason::kKeyOrder, l});
    } else if (link.second_wrote) {
      add({events_.start(link.first), events_.commit(link.second), EdgeReason::kKeyOrder, l});
    }
  }
}

void OrderGraph::add_own_edges(const OrderProblem& problem) {
  for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
    if (!events_.is_merged(t) && problem.presence(t) != Presence::kAbsent) {
      add({events_.start(t), events_.commit(t), EdgeReason::kOwn});
    }
  }
}

void OrderGraph::add_sessions(const History& history, const std::vector<bool>& is_present) {
  std::vector<LabelledEdge> edges;
  add_process_edges(history, is_present, edges);
  for (const LabelledEdge& edge : edges) {
    add({events_.commit(edge.from), events_.start(edge.to), EdgeReason::kSession});
  }
}

void OrderGraph::add_initial_txn(const OrderProblem& problem) {
  const TxnId first = problem.history().info().initial_txn;
  for (std::uint32_t t = 0; t < problem.txn_count() && !first.is_none(); ++t) {
    if (t != first.value && problem.presence(t) != Presence::kAbsent) {
      add({events_.commit(first.value), events_.start(t), EdgeReason::kInitialTxn});
    }
  }
}

/// If only some transactions have session order, their session becomes a line of instants, like
/// real time.
void OrderGraph::add_sessions_to_some(const History& history, const TxnLevels& levels,
                                      const std::vector<bool>& is_present) {
  constexpr std::uint32_t kNone = 0xffffffffU;
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    std::uint32_t last = kNone;
    for (const TxnId txn : history.session_txns({s})) {
      if (!is_present[txn.index()]) {
        continue;
      }
      if (levels.of(txn).sessions && last != kNone) {
        add({last, events_.start(txn.value), EdgeReason::kTimeline, kInSession});
      }
      if (history.committed(txn) && txn != history.session_txns({s}).back()) {
        const std::uint32_t next = vertex_count_++;
        add({events_.commit(txn.value), next, EdgeReason::kTimeline, kInSession});
        if (last != kNone) {
          add({last, next, EdgeReason::kTimeline, kInSession});
        }
        last = next;
      }
    }
  }
}

void OrderGraph::add_real_time(const History& history, const TxnLevels& levels,
                               const std::vector<bool>& is_present) {
  const auto txn_count = static_cast<std::uint32_t>(history.txn_count());
  std::vector<LabelledEdge> edges;
  std::uint32_t next = txn_count;
  add_timeline(history, EventOrder(history), is_present, next, edges);
  const auto instant = [&](std::uint32_t vertex) { return vertex - txn_count + events_.count(); };
  for (const LabelledEdge& edge : edges) {
    if (edge.to < txn_count && !levels.of({edge.to}).real_time) {
      continue;
    }
    add({edge.from < txn_count ? events_.commit(edge.from) : instant(edge.from),
         edge.to < txn_count ? events_.start(edge.to) : instant(edge.to), EdgeReason::kTimeline});
  }
  vertex_count_ = instant(next);
}

void OrderGraph::add_first_writes(const OrderProblem& problem) {
  constexpr std::size_t kManyPairs = 256;
  first_write_ = vertex_count_;
  std::vector<std::uint32_t> initial;
  for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
    if (problem.writer_of(r) == kInitialState && !problem.reads()[r].is_append) {
      initial.push_back(r);
    }
  }
  const auto key_count = static_cast<std::uint32_t>(problem.history().key_count());
  const Adjacency readers(key_count, initial, [&](std::uint32_t r) {
    return std::pair(problem.reads()[r].key.value, r);
  });
  for (std::uint32_t key = 0; key < key_count; ++key) {
    const std::size_t writers = problem.first_write(key + 1) - problem.first_write(key);
    if (readers.of(key).size() * writers >= kManyPairs) {
      add_first_write(problem, key, readers.of(key));
    }
  }
}

/// A transaction that reads the initial value and writes the key in one event is the first writer
/// of the key.
void OrderGraph::add_first_write(const OrderProblem& problem, std::uint32_t key,
                                 std::span<const std::uint32_t> readers) {
  const auto reads = [&](std::uint32_t r) { return events_.read_event(problem.reads()[r]); };
  const auto own = std::ranges::find_if(readers, [&](std::uint32_t r) {
    const std::uint32_t txn = problem.reads()[r].txn;
    return events_.is_merged(txn) && problem.write_of(txn, {key}) != kInitialState;
  });
  const std::uint32_t vertex = own != readers.end() ? reads(*own) : vertex_count_++;
  for (const std::uint32_t r : readers) {
    if (own == readers.end()) {
      add({reads(r), vertex, EdgeReason::kReadInitial, r});
    } else if (r != *own) {
      add({reads(r), vertex, EdgeReason::kOverwritten, r});
    }
  }
  for (WriteRef w = problem.first_write(key); w < problem.first_write(key + 1); ++w) {
    const std::uint32_t commit = events_.commit(problem.write(w).txn);
    if (own == readers.end()) {
      add({vertex, commit, EdgeReason::kFirstWrite, key});
    } else if (commit != vertex) {
      add({vertex, commit, EdgeReason::kOverwritten, *own});
    }
  }
}

void OrderGraph::add_lists(const OrderProblem& problem) {
  const ListPlaces& lists = problem.lists();
  first_version_ = vertex_count_;
  vertex_count_ += lists.version_count();
  for (std::uint32_t l = 0; l < lists.lines().size(); ++l) {
    const ListPlaces::Line& line = lists.lines()[l];
    for (std::uint32_t length = line.base; length < line.length; ++length) {
      add({vertex_of_version(lists.version(l, length)),
           vertex_of_version(lists.version(l, length + 1)), EdgeReason::kVersions});
      if (line.is_certain) {
        add({vertex_of_version(lists.unread(l, length)),
             vertex_of_version(lists.unread(l, length + 1)), EdgeReason::kVersions});
      }
    }
  }
  for (std::uint32_t r = 0; r < lists.readings().size(); ++r) {
    const ListPlaces::Reading& reading = lists.readings()[r];
    if (!reading.is_certain) {
      continue;
    }
    const std::uint32_t start = events_.start(reading.txn);
    add({vertex_of_version(lists.version(reading.line, reading.length)), start, EdgeReason::kShown,
         r});
    if (!is_direct(reading)) {
      add({start, vertex_of_version(lists.unread(reading.line, reading.length)),
           EdgeReason::kNotShown, r});
    }
  }
  follow_lists(problem);
}

void OrderGraph::follow_lists(const OrderProblem& problem) {
  const ListPlaces& lists = problem.lists();
  for (; stands_followed_ < lists.settled().size(); ++stands_followed_) {
    const std::uint32_t s = lists.settled()[stands_followed_];
    const ListPlaces::Stand& stand = lists.stands()[s];
    const bool is_inside = stand.state == ListPlaces::Stand::State::kInside;
    const std::uint32_t begin =
        is_inside ? lists.place_of(stand).begin : lists.lines()[stand.line].length;
    const std::uint32_t commit = events_.commit(stand.txn);
    if (is_inside) {
      add({commit, vertex_of_version(lists.version(stand.line, lists.place_of(stand).end)),
           EdgeReason::kStands, s});
    }
    add({vertex_of_version(lists.version(stand.line, begin)), events_.barrier(stand.txn),
         EdgeReason::kStands, s});
    add({vertex_of_version(lists.unread(stand.line, begin)), commit, EdgeReason::kStands, s});
    const auto [first, last] = lists.readings_at(stand.line, begin);
    for (std::uint32_t r = first; r < last; ++r) {
      const ListPlaces::Reading& reading = lists.readings()[r];
      if (is_direct(reading) && reading.is_certain && reading.txn != stand.txn) {
        add({events_.start(reading.txn), commit, EdgeReason::kNotShown, r});
      }
    }
  }
}

}  // namespace elapid
