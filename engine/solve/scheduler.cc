#include "engine/solve/scheduler.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <tuple>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/solve/turns.h"

namespace elapid {

namespace {

/// By transaction, the middle of the time in which its versions must have been current: from the
/// latest invocation to the earliest completion among it and its known readers (which may come
/// first). Where one order of two writers of a key is impossible in real time, it is the one in
/// which the later middle comes first.
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

/// Ranks events by the timestamps that the database gave, commits before starts of the same time;
/// false if there are none, or some committed transaction lacks one. Where the timestamps are
/// right, carrying events out in their order serves every read.
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

/// By vertex, what comes first if it can: smaller numbers. By timestamps, else by times, and
/// without either in turns, each transaction as a whole. Whatever must precede an event is as
/// urgent.
std::vector<std::uint32_t> urgencies(const OrderProblem& problem, const OrderGraph& graph,
                                     const Adjacency& successors,
                                     std::span<const std::uint32_t> order) {
  const History& history = problem.history();
  const EventMap& events = graph.events();
  std::vector<std::uint32_t> rank(graph.vertex_count(), std::numeric_limits<std::uint32_t>::max());
  if (rank_by_timestamps(problem, events, rank)) {
    // All are ranked.
  } else if (history.info().has_real_time) {
    const std::vector<std::uint32_t> middle = middles(problem);
    for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
      rank[events.start(t)] = history.has_invocation({t}) ? history.invocation_id({t}).value : 0;
      rank[events.commit(t)] = middle[t];
    }
  } else {
    const std::vector<std::uint32_t> turn = turns(history);
    for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
      rank[events.start(t)] = 2 * turn[t];
      rank[events.commit(t)] = 2 * turn[t] + (events.is_merged() ? 0 : 1);
    }
  }
  for (std::size_t i = order.size(); i-- > 0;) {
    for (const std::uint32_t next : successors.of(order[i])) {
      rank[order[i]] = std::min(rank[order[i]], rank[next]);
    }
  }
  return rank;
}

/// Lists with repeated elements while they grow along their lines.
class GrowingLists {
 public:
  explicit GrowingLists(const OrderProblem& problem)
      : lists_(problem.lists()), length_(lists_.lines().size(), 0), left_(lists_.lines().size()) {
    for (std::uint32_t l = 0; l < lists_.lines().size(); ++l) {
      const ListPlaces::Line& line = lists_.lines()[l];
      left_[l].assign(line.length + std::size_t{1}, 0);
      is_feasible_ = is_feasible_ && (line.is_certain || !problem.is_certain(line.reader));
    }
    for (const ListPlaces::Reading& reading : lists_.readings()) {
      left_[reading.line][reading.length] += problem.is_certain(reading.txn) ? 1U : 0U;
    }
  }

  /// Whether only the certain lines count.
  [[nodiscard]] bool is_feasible() const { return is_feasible_; }

  /// A list that the transaction must wait for: to read it, if it starts, to have its place come
  /// next, if it claims it, or to have all read who must read the list as it is, if it commits.
  [[nodiscard]] std::optional<KeyId> find_obstacle(std::uint32_t txn, bool starts, bool claims,
                                                   bool commits) const {
    if (lists_.empty()) {
      return std::nullopt;
    }
    for (const std::uint32_t r : starts ? lists_.readings_of(txn) : none()) {
      const ListPlaces::Reading& reading = lists_.readings()[r];
      if (length_[reading.line] != reading.length) {
        return lists_.lines()[reading.line].key;
      }
    }
    for (const std::uint32_t s : lists_.stands_of(txn)) {
      const ListPlaces::Stand& stand = lists_.stands()[s];
      const bool is_hindered =
          (claims && !comes_next(stand)) || (commits && others_read(stand, starts));
      if (lists_.lines()[stand.line].is_certain && is_hindered) {
        return lists_.lines()[stand.line].key;
      }
    }
    return std::nullopt;
  }

  /// Notes what it read; calls `wake(KeyId)` where nobody is left to read the version.
  template <class Wake>
  void start(std::uint32_t txn, Wake wake) {
    for (const std::uint32_t r : lists_.empty() ? none() : lists_.readings_of(txn)) {
      const ListPlaces::Reading& reading = lists_.readings()[r];
      if (--left_[reading.line][reading.length] == 0) {
        wake(lists_.lines()[reading.line].key);
      }
    }
  }

  void commit(std::uint32_t txn) {
    for (const std::uint32_t s : lists_.empty() ? none() : lists_.stands_of(txn)) {
      const ListPlaces::Stand& stand = lists_.stands()[s];
      std::uint32_t& length = length_[stand.line];
      if (!lists_.lines()[stand.line].is_certain) {
        continue;
      }
      const ListPlaces::Place* place = place_at(stand, length);
      length = place != nullptr ? place->end : kBehind;
    }
  }

 private:
  static constexpr std::uint32_t kBehind = std::numeric_limits<std::uint32_t>::max();

  static std::span<const std::uint32_t> none() { return {}; }

  [[nodiscard]] const ListPlaces::Place* place_at(const ListPlaces::Stand& stand,
                                                  std::uint32_t length) const {
    for (std::uint32_t i = 0; i < stand.place_count; ++i) {
      const ListPlaces::Place& place = lists_.places()[stand.first_place + i];
      if (place.begin == length && place.state != ListPlaces::State::kStruck) {
        return &place;
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool comes_next(const ListPlaces::Stand& stand) const {
    const std::uint32_t length = length_[stand.line];
    const bool is_end = length == lists_.lines()[stand.line].length &&
                        stand.state != ListPlaces::Stand::State::kInside;
    return length == kBehind || is_end || place_at(stand, length) != nullptr;
  }

  /// Whether somebody else must still read the list as it is; `starts`: it has not read itself.
  [[nodiscard]] bool others_read(const ListPlaces::Stand& stand, bool starts) const {
    const std::uint32_t length = length_[stand.line];
    if (length == kBehind) {
      return false;
    }
    std::uint32_t others = left_[stand.line][length];
    for (const std::uint32_t r : starts ? lists_.readings_of(stand.txn) : none()) {
      const ListPlaces::Reading& reading = lists_.readings()[r];
      others -= reading.line == stand.line && reading.length == length ? 1U : 0U;
    }
    return others > 0;
  }

  const ListPlaces& lists_;
  bool is_feasible_ = true;
  std::vector<std::uint32_t> length_;             // by line
  std::vector<std::vector<std::uint32_t>> left_;  // by line and length: readers still to come
};

class Scheduler {
 public:
  Scheduler(const OrderProblem& problem, const OrderGraph& graph,
            std::span<const std::uint32_t> order)
      : problem_(problem),
        graph_(graph),
        events_(graph.events()),
        successors_(graph.successors()),
        pending_(graph.vertex_count(), 0),
        rank_(urgencies(problem, graph, successors_, order)),
        readers_(problem.writes().size(), 0),
        initial_readers_(problem.history().key_count(), 0),
        keys_(problem.history().key_count()),
        lists_(problem) {
    for (const EventEdge& edge : graph.edges()) {
      ++pending_[edge.to()];
    }
    for (std::uint32_t r = 0; r < problem.reads().size(); ++r) {
      if (const WriteRef writer = problem.writer_of(r); writer != kOpenWriter) {
        ++readers_of(problem.reads()[r].key, writer);
      }
    }
  }

  std::optional<std::vector<std::uint32_t>> run() {
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      if (pending_[v] == 0) {
        ready_.emplace(rank_[v], v);
      }
    }
    while (!ready_.empty() && lists_.is_feasible() && !is_tedious()) {
      const std::uint32_t v = ready_.top().second;
      ready_.pop();
      ++steps_;
      if (is_carried_out(v)) {
        release(v);
      }
    }
    return is_complete() ? std::optional(std::move(order_)) : std::nullopt;
  }

 private:
  /// Where many wait for few keys, most are woken in vain. Orders that serve all reads are found in
  /// about two steps an event and read.
  [[nodiscard]] bool is_tedious() const {
    constexpr std::uint64_t kStepsEach = 32;
    return steps_ > kStepsEach * (graph_.vertex_count() + problem_.reads().size());
  }

  struct Key {
    WriteRef current = kInitialState;
    bool is_claimed = false;  // by a transaction that started and will write it (no overlap)
    std::vector<std::uint32_t> waiting = {};  // events
  };

  std::uint32_t& readers_of(KeyId key, WriteRef writer) {
    return writer == kInitialState ? initial_readers_[key.index()] : readers_[writer];
  }

  [[nodiscard]] bool is_complete() const {
    std::size_t wanted = 0;
    for (std::uint32_t t = 0; t < problem_.txn_count(); ++t) {
      wanted += problem_.is_certain(t) ? 1U : 0U;
    }
    return order_.size() == (events_.is_merged() ? wanted : 2 * wanted);
  }

  void release(std::uint32_t vertex) {
    for (const std::uint32_t to : successors_.of(vertex)) {
      if (--pending_[to] == 0) {
        ready_.emplace(rank_[to], to);
      }
    }
  }

  void wake(Key& key) {
    for (const std::uint32_t v : key.waiting) {
      ready_.emplace(rank_[v], v);
    }
    key.waiting.clear();
  }

  /// Carries the event out unless something stands in its way; then it waits for a key.
  bool is_carried_out(std::uint32_t vertex) {
    if (!events_.is_of_txn(vertex) || !problem_.is_certain(events_.txn(vertex))) {
      return true;
    }
    const std::uint32_t txn = events_.txn(vertex);
    const bool starts = vertex == events_.start(txn);
    const bool commits = vertex == events_.commit(txn);
    if (const auto obstacle = find_obstacle(txn, vertex, starts, commits)) {
      keys_[obstacle->index()].waiting.push_back(vertex);
      return false;
    }
    order_.push_back(vertex);
    finish_reads(txn, vertex);
    if (starts) {
      lists_.start(txn, [this](KeyId key) { wake(keys_[key.index()]); });
    }
    if (starts && events_.excludes_overlap()) {
      for (const WriteRef w : problem_.writes_by(txn)) {
        keys_[problem_.write(w).key.index()].is_claimed = true;
      }
    }
    if (commits) {
      install(txn);
    }
    return true;
  }

  std::optional<KeyId> find_obstacle(std::uint32_t txn, std::uint32_t vertex, bool starts,
                                     bool commits) {
    for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
      const ExternalRead& read = problem_.reads()[r];
      if (events_.read_event(read) == vertex && !is_served(r)) {
        return read.key;
      }
    }
    if (const auto key =
            lists_.find_obstacle(txn, starts, vertex == events_.barrier(txn), commits)) {
      return key;
    }
    for (const WriteRef w : problem_.writes_by(txn)) {
      const KeyId key = problem_.write(w).key;
      const bool is_locked = starts && events_.excludes_overlap() && keys_[key.index()].is_claimed;
      if (is_locked || (commits && has_other_readers(txn, key))) {
        return key;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_served(std::uint32_t read) {
    ++steps_;
    return problem_.may_have_seen(read, keys_[problem_.reads()[read].key.index()].current);
  }

  /// Whether somebody else must still read the current version.
  bool has_other_readers(std::uint32_t txn, KeyId key) {
    const WriteRef current = keys_[key.index()].current;
    std::uint32_t others = readers_of(key, current);
    for (std::uint32_t r = problem_.first_read(txn); others > 0 && r < problem_.first_read(txn + 1);
         ++r) {
      const ExternalRead& read = problem_.reads()[r];
      const bool is_now = events_.read_event(read) == events_.commit(txn);
      others -= is_now && read.key == key && problem_.writer_of(r) == current ? 1U : 0U;
    }
    return others > 0;
  }

  void finish_reads(std::uint32_t txn, std::uint32_t vertex) {
    for (std::uint32_t r = problem_.first_read(txn); r < problem_.first_read(txn + 1); ++r) {
      const ExternalRead& read = problem_.reads()[r];
      const WriteRef writer = problem_.writer_of(r);
      if (events_.read_event(read) == vertex && writer != kOpenWriter &&
          --readers_of(read.key, writer) == 0) {
        wake(keys_[read.key.index()]);
      }
    }
  }

  void install(std::uint32_t txn) {
    lists_.commit(txn);
    for (const WriteRef w : problem_.writes_by(txn)) {
      Key& key = keys_[problem_.write(w).key.index()];
      key.current = w;
      key.is_claimed = false;
      wake(key);
    }
  }

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  const EventMap& events_;
  Adjacency successors_;
  std::vector<std::uint32_t> pending_;          // by vertex: predecessors not carried out
  std::vector<std::uint32_t> rank_;             // by vertex
  std::vector<std::uint32_t> readers_;          // by write: known readers still to come
  std::vector<std::uint32_t> initial_readers_;  // by key
  std::vector<Key> keys_;
  GrowingLists lists_;
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>,
                      std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::greater<>>
      ready_;
  std::vector<std::uint32_t> order_;
  std::uint64_t steps_ = 0;  // events and reads tried
};

}  // namespace

std::optional<std::vector<std::uint32_t>> schedule(const OrderProblem& problem,
                                                   const OrderGraph& graph,
                                                   std::span<const std::uint32_t> order) {
  return Scheduler(problem, graph, order).run();
}

}  // namespace elapid
