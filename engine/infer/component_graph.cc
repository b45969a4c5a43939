#include "engine/infer/component_graph.h"

#include <algorithm>
#include <span>

#include "engine/graph/adjacency.h"
#include "engine/graph/scc.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNoComponent = 0xffffffffU;

/// The members of each component. Bundles and real time are vertices of the graph searched.
std::vector<std::vector<std::uint32_t>> find_members(
    const History& history, const Inference& inference, ExternalOrders orders,
    const EventOrder& events, const std::vector<LabelledEdge>& process_edges) {
  std::vector<LabelledEdge> edges;
  const std::size_t timeline = orders.realtime ? 2 * history.txn_count() : 0;
  edges.reserve(inference.edges.size() + process_edges.size() + timeline);
  edges = inference.edges;
  edges.insert(edges.end(), process_edges.begin(), process_edges.end());
  auto next_vertex = static_cast<std::uint32_t>(history.txn_count());
  for (const RwBundle& bundle : inference.bundles) {
    const std::uint32_t middle = next_vertex++;
    for (const TxnId reader : bundle.readers) {
      edges.push_back({reader.value, middle, kRwEdge});
    }
    for (const TxnId writer : bundle.writers) {
      edges.push_back({middle, writer.value, kRwEdge});
    }
  }
  if (orders.realtime) {
    add_timeline(history, events, inference.believed, next_vertex, edges);
  }
  const Adjacency graph(next_vertex, edges,
                        [](const LabelledEdge& edge) { return std::pair(edge.from, edge.to); });
  edges = {};
  const Components components = strong_components(next_vertex, graph);
  std::vector<std::vector<std::uint32_t>> groups = components.groups();
  for (auto& group : groups) {
    std::erase_if(group, [&](std::uint32_t v) { return v >= history.txn_count(); });
  }
  std::erase_if(groups, [](const auto& group) { return group.size() < 2; });
  return groups;
}

/// Sorts edges into components.
class EdgeSorter {
 public:
  EdgeSorter(std::size_t txn_count, const std::vector<std::vector<std::uint32_t>>& members)
      : component_(txn_count, kNoComponent),
        local_(txn_count, 0),
        edges_(members.size()),
        is_partial_(members.size(), false) {
    for (std::uint32_t c = 0; c < members.size(); ++c) {
      for (std::uint32_t i = 0; i < members[c].size(); ++i) {
        component_[members[c][i]] = c;
        local_[members[c][i]] = i;
      }
    }
  }

  [[nodiscard]] std::uint32_t component(std::uint32_t txn) const { return component_[txn]; }

  [[nodiscard]] bool together(std::uint32_t a, std::uint32_t b) const {
    return component_[a] != kNoComponent && component_[a] == component_[b];
  }

  void add(const LabelledEdge& edge) {
    if (together(edge.from, edge.to)) {
      edges_[component_[edge.from]].push_back({local_[edge.from], local_[edge.to], edge.label});
    }
  }

  void add_all(const std::vector<LabelledEdge>& edges) {
    for (const LabelledEdge& edge : edges) {
      add(edge);
    }
  }

  /// Adds all pairs of readers and writers within each component, if at most `most_pairs`.
  /// Otherwise adds a few of them, and marks the component as partial.
  void add_bundles(std::span<const RwBundle> bundles, std::uint64_t most_pairs) {
    constexpr std::uint64_t kFewOf = 8;
    std::uint64_t pairs = 0;
    const auto count = [&](Members readers, Members writers) {
      pairs += std::uint64_t{readers.size()} * writers.size();
    };
    std::uint64_t room = most_pairs;
    const auto add = [&](Members readers, Members writers) { add_product(readers, writers, room); };
    for (const RwBundle& bundle : bundles) {
      each_product(bundle, count);
    }
    room = pairs > most_pairs ? most_pairs / kFewOf : most_pairs;
    for (const RwBundle& bundle : bundles) {
      each_product(bundle, add);
    }
  }

  [[nodiscard]] bool is_partial(std::size_t component) const { return is_partial_[component]; }

  [[nodiscard]] const std::vector<LabelledEdge>& edges(std::size_t component) const {
    return edges_[component];
  }

 private:
  using Members = std::span<const std::uint32_t>;

  /// Calls `visit` with the readers and the writers of a bundle in each component.
  template <class Visit>
  void each_product(const RwBundle& bundle, Visit visit) {
    const std::vector<std::uint32_t> readers = by_component(bundle.readers);
    const std::vector<std::uint32_t> writers = by_component(bundle.writers);
    auto writer = writers.begin();
    for (auto reader = readers.begin(); reader != readers.end();) {
      const std::uint32_t component = component_[*reader];
      const auto is_before = [&](std::uint32_t txn) { return component_[txn] < component; };
      const auto is_inside = [&](std::uint32_t txn) { return component_[txn] == component; };
      const auto readers_end = std::find_if_not(reader, readers.end(), is_inside);
      writer = std::find_if_not(writer, writers.end(), is_before);
      const auto writers_end = std::find_if_not(writer, writers.end(), is_inside);
      visit(Members(reader, readers_end), Members(writer, writers_end));
      reader = readers_end;
      writer = writers_end;
    }
  }

  /// Drops transactions outside all components, and groups the others by component.
  [[nodiscard]] std::vector<std::uint32_t> by_component(std::span<const TxnId> txns) const {
    std::vector<std::uint32_t> sorted;
    for (const TxnId txn : txns) {
      if (component_[txn.index()] != kNoComponent) {
        sorted.push_back(txn.value);
      }
    }
    std::ranges::stable_sort(sorted, {}, [this](std::uint32_t txn) { return component_[txn]; });
    return sorted;
  }

  void add_product(Members readers, Members writers, std::uint64_t& room) {
    const std::uint64_t pairs = std::uint64_t{readers.size()} * writers.size();
    if (pairs > room) {
      is_partial_[component_[readers.front()]] = true;
      return;
    }
    room -= pairs;
    for (const std::uint32_t reader : readers) {
      for (const std::uint32_t writer : writers) {
        if (reader != writer) {
          add({reader, writer, kRwEdge});
        }
      }
    }
  }

  std::vector<std::uint32_t> component_;  // by transaction
  std::vector<std::uint32_t> local_;
  std::vector<std::vector<LabelledEdge>> edges_;  // by component
  std::vector<bool> is_partial_;                  // by component
};

}  // namespace

std::vector<ComponentGraph> component_graphs(const History& history, const Inference& inference,
                                             ExternalOrders orders, std::uint64_t most_pairs) {
  const EventOrder events = orders.realtime ? EventOrder(history) : EventOrder();
  std::vector<LabelledEdge> order_edges;
  if (orders.process) {
    add_process_edges(history, inference.believed, order_edges);
  }
  const auto members = find_members(history, inference, orders, events, order_edges);
  if (members.empty()) {
    return {};
  }
  EdgeSorter sorter(history.txn_count(), members);
  sorter.add_all(inference.edges);
  sorter.add_bundles(inference.bundles, most_pairs);
  if (orders.realtime) {
    add_realtime_edges(
        history, events, inference.believed,
        [&](TxnId a, TxnId b) { return sorter.together(a.value, b.value); }, order_edges);
  }
  sorter.add_all(order_edges);
  std::vector<ComponentGraph> result;
  for (std::size_t c = 0; c < members.size(); ++c) {
    ComponentGraph& component = result.emplace_back();
    for (const std::uint32_t txn : members[c]) {
      component.txns.push_back({txn});
    }
    component.graph = Digraph(members[c].size(), sorter.edges(c));
    component.is_partial = sorter.is_partial(c);
  }
  return result;
}

}  // namespace elapid
