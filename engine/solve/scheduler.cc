#include "engine/solve/scheduler.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/solve/chosen_orders.h"
#include "engine/solve/execution.h"
#include "engine/solve/settled_readers.h"
#include "engine/solve/urgency.h"
#include "engine/solve/waiting_events.h"

namespace elapid {

namespace {

constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();

/// Why one event waits for another.
struct WaitLink {
  std::uint32_t event = 0;
  /// The transaction that wrote the version that `event` would replace, or that claimed its key. If
  /// `event` had come before it, it would not wait. kAbsent: `event` waits in any case, or because
  /// of a choice.
  std::uint32_t rival = kAbsent;
  std::uint32_t choice = kAbsent;  ///< its number in chosen_
};

class Scheduler {
 public:
  Scheduler(const OrderProblem& problem, const OrderGraph& graph,
            std::span<const std::uint32_t> order, const std::function<bool()>& keep_going)
      : problem_(problem),
        graph_(graph),
        events_(graph.events()),
        keep_going_(keep_going),
        successors_(graph.successors()),
        pending_(graph.vertex_count(), 0),
        place_(graph.vertex_count(), kAbsent),
        rank_(urgencies(problem, graph, successors_, order)),
        execution_(problem, events_),
        waiting_(problem.history().key_count(), graph.vertex_count(), rank_) {
    for (const EventEdge& edge : graph.edges()) {
      ++pending_[edge.to()];
    }
    for (std::uint32_t t = 0; t < problem.txn_count(); ++t) {
      effective_total_ += problem.is_certain(t) ? (events_.is_merged(t) ? 1U : 2U) : 0U;
    }
  }

  std::optional<std::vector<std::uint32_t>> run() {
    if (!execution_.is_feasible()) {
      return std::nullopt;
    }
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      if (pending_[v] == 0) {
        try_again(v);
      }
    }
    do {
      while (!ready_.empty() && !is_spent()) {
        const std::uint32_t vertex = ready_.top().second;
        ready_.pop();
        attempt(vertex);
      }
    } while (!is_spent() && !is_complete() && untangle());
    return is_complete() ? std::optional(effective_events()) : std::nullopt;
  }

 private:
  /// The limit is generous: an order that serves all reads takes about two steps for each event and
  /// read. If many events wait for few keys, many are woken too early.
  [[nodiscard]] bool is_spent() {
    constexpr std::uint64_t kStepsEach = 32;
    constexpr std::uint64_t kStepsBetweenQuestions = 1024;
    const std::uint64_t steps = steps_ + execution_.steps();
    if (steps >= next_question_ && keep_going_) {
      next_question_ = steps + kStepsBetweenQuestions;
      is_stopped_ = !keep_going_();
    }
    return is_stopped_ || steps > kStepsEach * (graph_.vertex_count() + problem_.reads().size());
  }

  [[nodiscard]] bool is_complete() const { return effective_count_ == effective_total_; }

  [[nodiscard]] std::vector<std::uint32_t> effective_events() const {
    std::vector<std::uint32_t> order;
    order.reserve(effective_count_);
    std::ranges::copy_if(carried_out_, std::back_inserter(order),
                         [this](std::uint32_t v) { return execution_.is_effective(v); });
    return order;
  }

  void try_again(std::uint32_t vertex) { ready_.emplace(rank_[vertex], vertex); }

  [[nodiscard]] auto trying_again() {
    return [this](std::uint32_t vertex) { try_again(vertex); };
  }

  [[nodiscard]] auto waking() {
    return [this](KeyId key) { waiting_.wake(execution_, key, trying_again()); };
  }

  [[nodiscard]] bool is_done(std::uint32_t vertex) const { return place_[vertex] != kAbsent; }

  template <class Visit>
  void each_successor(std::uint32_t vertex, Visit visit) const {
    for (const std::uint32_t to : successors_.of(vertex)) {
      visit(to);
    }
    chosen_.each_after(vertex, [&](std::uint32_t to, std::uint32_t) { visit(to); });
  }

  /// Carries the event out unless it meets an obstacle. Then it waits for a key.
  void attempt(std::uint32_t vertex) {
    ++steps_;
    if (is_done(vertex) || pending_[vertex] > 0) {  // tried twice, or taken back
      waiting_.pass_on(vertex, nullptr, trying_again());
      return;
    }
    if (!execution_.is_effective(vertex)) {
      note_done(vertex);
      return;
    }
    const auto obstacle = execution_.find_obstacle(vertex);
    waiting_.pass_on(vertex, obstacle ? &*obstacle : nullptr, trying_again());
    if (obstacle) {
      waiting_.add(vertex, *obstacle);
      blocked_.push_back(vertex);
      return;
    }
    ++effective_count_;
    execution_.carry_out(vertex, waking());
    note_done(vertex);
  }

  void note_done(std::uint32_t vertex) {
    place_[vertex] = static_cast<std::uint32_t>(carried_out_.size());
    carried_out_.push_back(vertex);
    each_successor(vertex, [this](std::uint32_t to) {
      if (--pending_[to] == 0) {
        try_again(to);
      }
    });
  }

  /// Takes back all events from this place on.
  void take_back(std::uint32_t place) {
    const std::vector<std::uint32_t> taken(carried_out_.begin() + place, carried_out_.end());
    std::vector<KeyId> changed;
    for (std::size_t i = taken.size(); i-- > 0;) {
      if (execution_.is_effective(taken[i])) {
        execution_.take_back(taken[i], [&](KeyId key) { changed.push_back(key); });
        --effective_count_;
      }
      place_[taken[i]] = kAbsent;
      each_successor(taken[i], [this](std::uint32_t to) { ++pending_[to]; });
    }
    carried_out_.resize(place);
    for (const std::uint32_t vertex : taken) {
      if (pending_[vertex] == 0) {
        try_again(vertex);
      }
    }
    std::ranges::for_each(changed, waking());
    steps_ += taken.size() + changed.size();
  }

  /// Called if all events wait. Finds a circle of events that wait for one another. Puts an event
  /// that would replace a version before the writer of that version.
  bool untangle() {
    const std::vector<WaitLink> circle = find_circle();
    if (circle.empty()) {
      return is_resumed_;
    }
    ChosenOrders::Choice choice;
    for (const WaitLink& link : circle) {
      if (link.rival != kAbsent) {
        choice.untried.emplace_back(events_.commit(events_.txn(link.event)),
                                    events_.barrier(link.rival));
      }
      if (link.choice != kAbsent) {
        choice.because_of.insert(link.choice);
      }
    }
    // The rival that was carried out last is tried first: so the fewest events are taken back.
    std::ranges::sort(choice.untried, {}, [this](const ChosenOrders::Edge& edge) {
      return std::pair(place_[edge.second], edge);
    });
    return choose(std::move(choice));
  }

  /// Chooses one of the untried edges. If all are impossible, it changes the latest of the choices
  /// that exclude them (Prosser 1993: conflict-directed backjumping).
  bool choose(ChosenOrders::Choice choice) {
    while (!is_spent()) {
      while (!choice.untried.empty()) {
        choice.edge = choice.untried.back();
        choice.untried.pop_back();
        const auto path = choices_between(choice.edge.second, choice.edge.first);
        if (!path) {
          put_in_order(std::move(choice));
          return true;
        }
        choice.because_of.insert(path->begin(), path->end());
      }
      if (choice.because_of.empty()) {
        return false;
      }
      const std::uint32_t latest = *choice.because_of.rbegin();
      choice.because_of.erase(latest);
      while (chosen_.size() > latest + std::size_t{1}) {
        take_choice_back();
      }
      ChosenOrders::Choice revised = take_choice_back();
      choice.untried = std::move(revised.untried);
      choice.because_of.merge(revised.because_of);
    }
    return false;
  }

  void put_in_order(ChosenOrders::Choice choice) {
    const auto [first, second] = choice.edge;
    const bool is_so = is_done(first) && place_[first] < place_[second];
    if (is_done(second) && !is_so) {
      take_back(place_[second]);
    }
    pending_[second] += is_done(first) ? 0U : 1U;
    chosen_.add(std::move(choice));
  }

  ChosenOrders::Choice take_choice_back() {
    ChosenOrders::Choice choice = chosen_.remove_last();
    const auto [first, second] = choice.edge;
    if (!is_done(first) && --pending_[second] == 0) {
      try_again(second);
    }
    return choice;
  }

  /// Empty if no circle is found.
  std::vector<WaitLink> find_circle() {
    prepare_search();
    is_resumed_ = false;
    while (!blocked_.empty() && is_done(blocked_.back())) {
      blocked_.pop_back();
    }
    std::vector<WaitLink> path;
    std::unordered_map<std::uint32_t, std::size_t> seen;
    std::uint32_t event = blocked_.empty() ? kAbsent : blocked_.back();
    while (event != kAbsent && seen.try_emplace(event, path.size()).second) {
      path.push_back({event});
      event = find_reason(path.back());
      ++steps_;
    }
    if (event == kAbsent) {
      return {};
    }
    return {path.begin() + static_cast<std::ptrdiff_t>(seen.at(event)), path.end()};
  }

  /// An event that `link.event` waits for, or kAbsent; sets `link.rival`.
  std::uint32_t find_reason(WaitLink& link) {
    if (pending_[link.event] > 0) {
      return open_predecessor(link);
    }
    const auto obstacle = execution_.find_obstacle(link.event);
    if (!obstacle) {
      try_again(link.event);
      is_resumed_ = true;
      return kAbsent;
    }
    if (obstacle->wait == Execution::Wait::kClaim) {
      link.rival = execution_.claimed_by(obstacle->key);
      return events_.commit(link.rival);
    }
    if (obstacle->wait == Execution::Wait::kVersion) {
      return kAbsent;  // no single writer
    }
    const WriteRef current = execution_.current(obstacle->key);
    link.rival = current == kInitialState ? kAbsent : problem_.write(current).txn;
    return open_reader(current, obstacle->key, link.event);
  }

  /// An event before `link.event` that is not done. Sets `link.choice` if a choice orders them.
  [[nodiscard]] std::uint32_t open_predecessor(WaitLink& link) const {
    const std::span<const std::uint32_t> before = predecessors_.of(link.event);
    const auto open = std::ranges::find_if(before, [this](auto v) { return !is_done(v); });
    if (open != before.end()) {
      return *open;
    }
    std::uint32_t chosen = kAbsent;
    chosen_.each_before(link.event, [&](std::uint32_t event, std::uint32_t number) {
      if (!is_done(event)) {
        chosen = event;
        link.choice = number;
      }
    });
    return chosen;
  }

  [[nodiscard]] std::uint32_t open_reader(WriteRef version, KeyId key, std::uint32_t but) const {
    for (const std::uint32_t r : readers_->of(version, key)) {
      const std::uint32_t event = events_.read_event(problem_.reads()[r]);
      if (event != but && !is_done(event)) {
        return event;
      }
    }
    return kAbsent;
  }

  /// The choices on a path from one event to the other; nothing if a short search finds no path.
  /// Predecessors of an event are at least as urgent.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> choices_between(std::uint32_t from,
                                                                          std::uint32_t to) {
    constexpr std::size_t kSoon = 1024;

    struct Step {
      std::uint32_t event;
      std::size_t before;    // a place in `found`
      std::uint32_t choice;  // that brought it here
    };

    std::vector<Step> found = {{from, 0, kAbsent}};
    std::unordered_set<std::uint32_t> seen = {from};
    for (std::size_t i = 0; i < found.size() && found.size() < kSoon && !seen.contains(to); ++i) {
      const auto visit = [&](std::uint32_t next, std::uint32_t choice) {
        if (rank_[next] <= rank_[to] && seen.insert(next).second) {
          found.push_back({next, i, choice});
        }
      };
      for (const std::uint32_t next : successors_.of(found[i].event)) {
        visit(next, kAbsent);
      }
      chosen_.each_after(found[i].event, visit);
    }
    steps_ += found.size();
    const auto end = std::ranges::find(found, to, &Step::event);
    if (end == found.end()) {
      return std::nullopt;
    }
    std::vector<std::uint32_t> choices;
    for (auto at = static_cast<std::size_t>(end - found.begin()); at != 0; at = found[at].before) {
      if (found[at].choice != kAbsent) {
        choices.push_back(found[at].choice);
      }
    }
    return choices;
  }

  /// Prepares what only untangle() needs.
  void prepare_search() {
    if (!readers_) {
      readers_.emplace(problem_);
      predecessors_ = {graph_.vertex_count(), graph_.edges(),
                       [](const EventEdge& edge) { return std::pair(edge.to(), edge.from()); }};
    }
  }

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  const EventMap& events_;
  const std::function<bool()>& keep_going_;
  Adjacency successors_;
  std::vector<std::uint32_t> pending_;  // by vertex: predecessors not carried out
  std::vector<std::uint32_t> place_;    // by vertex, in carried_out_
  std::vector<std::uint32_t> rank_;     // by vertex
  Execution execution_;
  WaitingEvents waiting_;
  std::priority_queue<std::pair<std::uint32_t, std::uint32_t>,
                      std::vector<std::pair<std::uint32_t, std::uint32_t>>, std::greater<>>
      ready_;
  std::vector<std::uint32_t> carried_out_;
  std::size_t effective_count_ = 0;  // events of carried_out_
  std::size_t effective_total_ = 0;  // events of all vertices
  std::uint64_t steps_ = 0;
  std::uint64_t next_question_ = 0;
  bool is_stopped_ = false;

  // For untangle().
  std::vector<std::uint32_t> blocked_;  // events that waited; some are done
  bool is_resumed_ = false;             // an event can go on after all
  ChosenOrders chosen_;
  std::optional<SettledReaders> readers_;
  Adjacency predecessors_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> schedule(const OrderProblem& problem,
                                                   const OrderGraph& graph,
                                                   std::span<const std::uint32_t> order,
                                                   const std::function<bool()>& keep_going) {
  return Scheduler(problem, graph, order, keep_going).run();
}

}  // namespace elapid
