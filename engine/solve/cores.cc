#include "engine/solve/cores.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/graph/scc.h"

namespace elapid {

namespace {

using Edge = std::pair<std::uint32_t, std::uint32_t>;

/// Collects the edges that some choice would bring.
class PossibleEdges {
 public:
  PossibleEdges(const OrderProblem& problem, const OrderGraph& graph, const SettledReaders& readers,
                const Saturation& saturation)
      : problem_(problem),
        graph_(graph),
        events_(graph.events()),
        clocks_(saturation.clocks()),
        writers_(saturation.writers()),
        readers_(readers) {}

  std::vector<Edge> find() {
    for (WriteRef w = 0; w < problem_.writes().size(); ++w) {
      if (problem_.presence(problem_.write(w).txn) != Presence::kAbsent) {
        add_open_pairs(w);
      }
    }
    for (std::uint32_t r = 0; r < problem_.reads().size(); ++r) {
      if (problem_.writer_of(r) == kOpenWriter &&
          problem_.presence(problem_.reads()[r].txn) != Presence::kAbsent) {
        add_open_read(r);
      }
    }
    for (std::uint32_t s = 0; s < problem_.lists().stands().size(); ++s) {
      add_open_stand(problem_.lists().stands()[s]);
    }
    for (const ListPlaces::Reading& reading : problem_.lists().readings()) {
      add_open_reading(reading);
    }
    return std::move(edges_);
  }

 private:
  [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t b) const {
    return clocks_.reaches(events_.barrier(a), events_.commit(b));
  }

  /// Calls `visit` for the writers of the group, up to `end`, that need not come before `txn`.
  template <class Visit>
  void each_not_before(std::uint32_t txn, const KeyWriters::Group& group, std::uint32_t end,
                       Visit visit) {
    for (std::uint32_t i = end; i-- > group.begin;) {
      const std::uint32_t other = writers_.entry(i).txn;
      if (other == txn) {
        continue;
      }
      if (!is_before(other, txn)) {
        visit(other);
      } else if (clocks_.chains().chain[events_.barrier(other)] == group.chain) {
        break;  // as are the earlier ones of the chain
      }
    }
  }

  void add_open_pairs(WriteRef w) {
    const FinalWrite& write = problem_.write(w);
    const std::span<const std::uint32_t> after = clocks_.after(events_.barrier(write.txn));
    for (const KeyWriters::Group& group : writers_.groups(write.key)) {
      const std::uint32_t end = writers_.end_below(group, after[group.chain]);
      each_not_before(write.txn, group, end, [&](std::uint32_t other) {
        edges_.emplace_back(events_.commit(write.txn), events_.barrier(other));
        for (const std::uint32_t r : readers_.of(w, write.key)) {
          if (problem_.reads()[r].txn != other) {
            edges_.emplace_back(events_.read_event(problem_.reads()[r]), events_.commit(other));
          }
        }
      });
    }
  }

  [[nodiscard]] bool may_follow(std::uint32_t txn, WriteRef candidate) const {
    return candidate == kInitialState ||
           (txn != problem_.write(candidate).txn && !is_before(txn, problem_.write(candidate).txn));
  }

  void add_open_read(std::uint32_t r) {
    const ExternalRead& read = problem_.reads()[r];
    const std::uint32_t event = events_.read_event(read);
    if (!problem_.is_certain(read.txn)) {
      edges_.emplace_back(events_.commit(read.txn), events_.start(read.txn));
    }
    for (const WriteRef candidate : problem_.candidates(r)) {
      const bool is_initial = candidate == kInitialState;
      if (!is_initial) {
        const std::uint32_t writer = problem_.write(candidate).txn;
        edges_.emplace_back(events_.commit(writer), event);
        for (const KeyLink& link : problem_.links_from(r)) {
          if (link.second_read && link.second != writer) {
            edges_.emplace_back(events_.commit(writer), events_.start(link.second));
          }
        }
        if (!problem_.is_certain(writer)) {  // both depend on its taking effect
          edges_.emplace_back(event, events_.commit(writer));
        }
      }
    }
    for (const KeyWriters::Group& group : writers_.groups(read.key)) {
      for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const std::uint32_t other = writers_.entry(i).txn;
        if (other != read.txn && !clocks_.reaches(event, events_.commit(other)) &&
            std::ranges::any_of(problem_.candidates(r),
                                [&](WriteRef w) { return may_follow(other, w); })) {
          edges_.emplace_back(event, events_.commit(other));
        }
      }
    }
  }

  /// Ties both vertices to one core, since one choice concerns both.
  void tie(std::uint32_t a, std::uint32_t b) {
    edges_.emplace_back(a, b);
    edges_.emplace_back(b, a);
  }

  [[nodiscard]] std::uint32_t version(std::uint32_t line, std::uint32_t length) const {
    return graph_.vertex_of_version(problem_.lists().version(line, length));
  }

  void add_open_stand(const ListPlaces::Stand& stand) {
    const ListPlaces& lists = problem_.lists();
    const ListPlaces::Line& line = lists.lines()[stand.line];
    if (stand.state != ListPlaces::Stand::State::kOpen ||
        problem_.presence(stand.txn) == Presence::kAbsent ||
        (!line.is_certain && problem_.presence(line.reader) == Presence::kAbsent) ||
        lists.trunk_stand(stand).state == ListPlaces::Stand::State::kInside) {
      return;
    }
    const std::uint32_t commit = events_.commit(stand.txn);
    tie(commit, events_.start(stand.txn));
    for (std::uint32_t i = 0; i < stand.place_count; ++i) {
      const ListPlaces::Place& place = lists.places()[stand.first_place + i];
      if (place.state != ListPlaces::State::kStruck) {
        for (std::uint32_t p = place.begin; p <= place.end; ++p) {
          tie(commit, version(place.line, p));
        }
        tie_unread(commit, place.line, place.begin);
      }
    }
    tie(commit, version(stand.line, line.length));
    tie_unread(commit, stand.line, line.length);
  }

  /// Ties the commit to the vertex of the prefix's readers. Readers that are direct, or whose line
  /// is uncertain, get edges of their own.
  void tie_unread(std::uint32_t commit, std::uint32_t line, std::uint32_t length) {
    const ListPlaces& lists = problem_.lists();
    tie(commit, graph_.vertex_of_version(lists.unread(line, length)));
    const auto [first, last] = lists.readings_at(line, length);
    for (std::uint32_t r = first; r < last; ++r) {
      const ListPlaces::Reading& reading = lists.readings()[r];
      if (problem_.presence(reading.txn) != Presence::kAbsent &&
          (graph_.is_direct(reading) || !lists.lines()[line].is_certain)) {
        edges_.emplace_back(events_.start(reading.txn), commit);
      }
    }
  }

  void add_open_reading(const ListPlaces::Reading& reading) {
    const ListPlaces& lists = problem_.lists();
    if (reading.is_certain || problem_.presence(reading.txn) == Presence::kAbsent) {
      return;
    }
    const std::uint32_t start = events_.start(reading.txn);
    tie(events_.commit(reading.txn), start);
    tie(start, version(reading.line, reading.length));
    tie(start, graph_.vertex_of_version(lists.unread(reading.line, reading.length)));
    const ListPlaces::Line& line = lists.lines()[reading.line];
    for (std::uint32_t p = line.base; p < line.length && !line.is_certain; ++p) {
      tie(start, version(reading.line, p));
    }
    if (line.is_certain && reading.length > 0) {
      tie_places(start, reading.line, reading.length - 1);
    }
    if (line.is_certain && reading.length < line.length) {
      tie_places(start, reading.line, reading.length);
    } else if (graph_.is_direct(reading)) {
      for (const ListPlaces::Stand& stand : lists.stands()) {
        if (stand.line == line.trunk && problem_.presence(stand.txn) != Presence::kAbsent) {
          edges_.emplace_back(start, events_.commit(stand.txn));
        }
      }
    }
  }

  /// Ties the transactions that may cover the position to the reader's core.
  void tie_places(std::uint32_t start, std::uint32_t line, std::uint32_t position) {
    for (const std::uint32_t p : problem_.lists().covering(line, position)) {
      tie(start, events_.commit(problem_.lists().places()[p].txn));
    }
  }

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  const EventMap& events_;
  const ChainClocks& clocks_;
  const KeyWriters& writers_;
  const SettledReaders& readers_;
  std::vector<Edge> edges_;
};

Cores group(const OrderGraph& graph, const Components& components,
            const std::vector<std::uint32_t>& order) {
  Cores result;
  result.core_of.assign(graph.vertex_count(), Cores::kNone);
  result.place.assign(graph.vertex_count(), 0);
  std::vector<std::uint32_t> size(components.count, 0);
  std::vector<std::uint32_t> number(components.count, Cores::kNone);
  for (const std::uint32_t component : components.of) {
    ++size[component];
  }
  for (const std::uint32_t v : order) {
    const std::uint32_t component = components.of[v];
    if (size[component] < 2) {
      continue;
    }
    if (number[component] == Cores::kNone) {
      number[component] = static_cast<std::uint32_t>(result.cores.size());
      result.cores.emplace_back();
    }
    Core& core = result.cores[number[component]];
    result.core_of[v] = number[component];
    result.place[v] = static_cast<std::uint32_t>(core.vertices.size());
    core.vertices.push_back(v);
  }
  for (std::uint32_t e = 0; e < graph.edges().size(); ++e) {
    const std::uint32_t core = result.core_of[graph.edges()[e].from()];
    if (core != Cores::kNone && core == result.core_of[graph.edges()[e].to()]) {
      result.cores[core].edges.push_back(e);
    }
  }
  return result;
}

}  // namespace

Cores find_cores(const OrderProblem& problem, const OrderGraph& graph,
                 const SettledReaders& readers, const Saturation& saturation) {
  std::vector<Edge> edges = PossibleEdges(problem, graph, readers, saturation).find();
  for (const EventEdge& edge : graph.edges()) {
    edges.emplace_back(edge.from(), edge.to());
  }
  const Adjacency successors(graph.vertex_count(), edges, [](const Edge& edge) { return edge; });
  edges = {};
  return group(graph, strong_components(graph.vertex_count(), successors), saturation.order());
}

Cores single_core(const OrderGraph& graph, std::vector<std::uint32_t> order) {
  Cores result;
  result.core_of.assign(graph.vertex_count(), 0);
  result.place.assign(graph.vertex_count(), 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    result.place[order[i]] = i;
  }
  Core core = {.vertices = std::move(order),
               .edges = std::vector<std::uint32_t>(graph.edges().size())};
  std::iota(core.edges.begin(), core.edges.end(), 0U);
  result.cores.push_back(std::move(core));
  return result;
}

}  // namespace elapid
