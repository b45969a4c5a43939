#include "engine/solve/urgency.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "engine/solve/turns.h"

namespace elapid {

namespace {

/// By transaction, the middle of the time in which its versions must have been current: from the
/// latest invocation to the earliest completion among the transaction and its known readers. The
/// completion may come first. If real time excludes one order of two writers of a key, it is the
/// order in which the later middle comes first.
std::vector<std::uint32_t> middles(const OrderProblem& problem) {
  const History& history = problem.history();
  std::vector<std::uint32_t> invoked(problem.txn_count(), 0);
  std::vector<std::uint32_t> completed(problem.txn_count(), 0);
  for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
    invoked[t] = history.has_invocation({t}) ? history.invocation_id({t}).value : 0;
    completed[t] = history.committed({t}) ? history.completion_id({t}).value
                                          : static_cast<std::uint32_t>(history.info().event_count);
  }
  std::vector<std::uint32_t> first = completed;
  std::vector<std::uint32_t> last = invoked;
  for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
    const WriteRef writer = problem.writer_of(r);
    if (writer != kOpenWriter && writer != kInitialState) {
      const std::uint32_t w = problem.write(writer).txn;
      const std::uint32_t reader = problem.reads()[r].txn;
      first[w] = std::min(first[w], completed[reader]);
      last[w] = std::max(last[w], invoked[reader]);
    }
  }
  for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
    first[t] = first[t] / 2 + last[t] / 2;
  }
  return first;
}

/// Ranks events by the database's timestamps, with commits before starts of the same time. False if
/// there are none, or a committed transaction lacks one. If the timestamps are right, this order
/// serves every read.
bool rank_by_timestamps(const OrderProblem& problem, const EventMap& events,
                        std::vector<std::uint32_t>& rank) {
  const History& history = problem.history();
  std::vector<std::tuple<std::int64_t, bool, std::uint32_t>> timed;  // time, starts, vertex
  for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
    const auto start = history.start_timestamp({t});
    const auto commit = history.commit_timestamp({t});
    if (history.committed({t}) && !(start && commit)) {
      return false;
    }
    if (start && commit) {
      timed.emplace_back(*commit, false, events.commit(t));
    }
    if (start && commit && events.start(t) != events.commit(t)) {
      timed.emplace_back(*start, true, events.start(t));
    }
  }
  std::ranges::sort(timed);
  for (std::uint32_t i = 0; i < timed.size(); ++i) {
    rank[std::get<2>(timed[i])] = i;
  }
  return !timed.empty();
}

/// A predecessor of a vertex gets at most its rank.
void propagate(const Adjacency& successors, std::span<const std::uint32_t> order,
               std::vector<std::uint32_t>& rank) {
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const std::uint32_t next : successors.of(order[i])) {
      rank[order[i]] = std::min(rank[order[i]], rank[next]);
    }
  }
}

void rank_in_turns(const History& history, const EventMap& events,
                   std::vector<std::uint32_t>& rank) {
  const std::vector<std::uint32_t> turn = turns(history);
  for (std::uint32_t t = 0; t < turn.size(); ++t) {
    rank[events.start(t)] = 2 * turn[t];
    rank[events.commit(t)] = 2 * turn[t] + (events.is_merged(t) ? 0 : 1);
  }
}

/// By transaction, events from its invocation to its completion, or 0 where one was not recorded.
std::vector<std::uint32_t> durations(const History& history) {
  std::vector<std::uint32_t> all(history.txn_count(), 0);
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    if (history.committed({t}) && history.has_invocation({t})) {
      all[t] = history.completion_id({t}).value - history.invocation_id({t}).value;
    }
  }
  return all;
}

std::uint32_t median(std::vector<std::uint32_t> numbers) {
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(numbers.size() / 2);
  std::ranges::nth_element(numbers, middle);
  return middle == numbers.end() ? 0 : *middle;
}

bool is_late(std::uint32_t duration, std::uint32_t usual) {
  constexpr std::uint32_t kLate = 16;
  return duration / kLate > usual;
}

}  // namespace

bool has_late_ones(const History& history) {
  if (!history.info().has_real_time) {
    return false;
  }
  const std::vector<std::uint32_t> all = durations(history);
  const std::uint32_t usual = median(all);
  return std::ranges::any_of(all, [=](std::uint32_t one) { return is_late(one, usual); });
}

std::vector<std::uint32_t> urgencies(const OrderProblem& problem, const OrderGraph& graph,
                                     const Adjacency& successors,
                                     std::span<const std::uint32_t> order) {
  const History& history = problem.history();
  const EventMap& events = graph.events();
  std::vector<std::uint32_t> rank(graph.vertex_count(), std::numeric_limits<std::uint32_t>::max());
  if (rank_by_timestamps(problem, events, rank)) {
    // All events are ranked.
  } else if (history.info().has_real_time) {
    const std::vector<std::uint32_t> middle = middles(problem);
    for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
      rank[events.start(t)] = history.has_invocation({t}) ? history.invocation_id({t}).value : 0;
      rank[events.commit(t)] = middle[t];
    }
  } else {
    rank_in_turns(history, events, rank);
  }
  propagate(successors, order, rank);
  return rank;
}

std::vector<std::uint32_t> completion_ranks(const OrderProblem& problem, const OrderGraph& graph,
                                            const Adjacency& successors,
                                            std::span<const std::uint32_t> order, LateOnes late) {
  const History& history = problem.history();
  const EventMap& events = graph.events();
  std::vector<std::uint32_t> rank(graph.vertex_count(), std::numeric_limits<std::uint32_t>::max());
  if (rank_by_timestamps(problem, events, rank)) {
    // All events are ranked.
  } else if (history.info().has_real_time) {
    const std::vector<std::uint32_t> took =
        late == LateOnes::kTookEffectSoon ? durations(history) : std::vector<std::uint32_t>();
    const std::uint32_t usual = median(took);
    for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
      if (history.committed({t})) {
        const bool is_soon = !took.empty() && is_late(took[t], usual);
        const std::uint32_t at =
            is_soon ? history.invocation_id({t}).value + usual : history.completion_id({t}).value;
        rank[events.start(t)] = at;
        rank[events.commit(t)] = at;
      }
    }
  } else {
    rank_in_turns(history, events, rank);
  }
  propagate(successors, order, rank);
  return rank;
}

}  // namespace elapid
