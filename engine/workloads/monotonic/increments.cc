#include "engine/workloads/monotonic/increments.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/graph/digraph.h"
#include "engine/graph/scc.h"
#include "engine/infer/order.h"

namespace elapid::monotonic {

namespace {

/// An operation that shows a value of a key.
struct Sight {
  ValueId key;
  std::int64_t number;
  ValueId value;
  TxnId txn;
};

/// A vertex between two successive values of a key.
struct Step {
  ValueId key;
  ValueId before;
  ValueId after;
};

bool shows_keys(const History& history, TxnId txn) {
  const std::span<const Op> ops = history.ops(txn);
  return history.committed(txn) && ops.size() >= 2 && !ops[1].value().is_nil();
}

class IncrementGraph {
 public:
  explicit IncrementGraph(const History& history) : history_(history) {
    const auto txns = static_cast<std::uint32_t>(history.txn_count());
    std::vector<bool> believed(txns);
    for (TxnId txn{0}; txn.index() < txns; ++txn.value) {
      believed[txn.index()] = shows_keys(history, txn);
      shows_something_ = shows_something_ || believed[txn.index()];
    }
    next_vertex_ = txns;
    add_keys(believed);
    step_end_ = next_vertex_;
    add_timeline(history, EventOrder(history), believed, next_vertex_, edges_);
    graph_ = Digraph(next_vertex_, edges_);
    edges_ = {};
  }

  [[nodiscard]] IncrementCycles cycles(std::size_t most) const {
    const Components components =
        strong_components(next_vertex_, MaskedSuccessors(graph_, kWwEdge | kRealtimeEdge));
    const std::vector<std::vector<std::uint32_t>> groups = components.groups();
    IncrementCycles found = {.shows_something = shows_something_, .component_count = groups.size()};
    std::vector<std::uint32_t> place(next_vertex_);  // by vertex: its place in its component
    for (const std::vector<std::uint32_t>& group : groups) {
      for (std::uint32_t i = 0; i < group.size(); ++i) {
        place[group[i]] = i;
      }
    }
    for (const std::vector<std::uint32_t>& group : groups) {
      if (found.cycles.size() < most) {
        found.cycles.push_back(short_cycle(components.of, group, place));
      }
    }
    return found;
  }

 private:
  void add_keys(const std::vector<bool>& believed) {
    std::vector<Sight> sights;
    for (TxnId txn{0}; txn.index() < believed.size(); ++txn.value) {
      if (!believed[txn.index()]) {
        continue;
      }
      const std::span<const Op> pairs = history_.ops(txn);
      for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
        const std::int64_t number = history_.values().as_integer(pairs[i + 1].value()).value_or(0);
        sights.push_back({pairs[i].value(), number, pairs[i + 1].value(), txn});
      }
    }
    std::ranges::sort(sights, {}, [](const Sight& sight) {
      return std::tuple(sight.key, sight.number, sight.txn);
    });
    std::optional<std::uint32_t> below;  // the vertex between the previous value and this one
    for (std::size_t begin = 0; begin < sights.size();) {
      std::size_t end = begin;
      while (end < sights.size() && sights[end].key == sights[begin].key &&
             sights[end].number == sights[begin].number) {
        ++end;
      }
      const bool has_next = end < sights.size() && sights[end].key == sights[begin].key;
      if (has_next) {
        steps_.push_back({sights[begin].key, sights[begin].value, sights[end].value});
      }
      for (std::size_t i = begin; i < end; ++i) {
        if (below) {
          edges_.push_back({*below, sights[i].txn.value, kWwEdge});
        }
        if (has_next) {
          edges_.push_back({sights[i].txn.value, next_vertex_, kWwEdge});
        }
      }
      below = has_next ? std::optional(next_vertex_++) : std::nullopt;
      begin = end;
    }
  }

  [[nodiscard]] bool is_txn(std::uint32_t vertex) const { return vertex < history_.txn_count(); }

  /// The cycle with the fewest operations through the component's first operation.
  [[nodiscard]] std::vector<CycleStep> short_cycle(const std::vector<std::uint32_t>& component,
                                                   const std::vector<std::uint32_t>& group,
                                                   const std::vector<std::uint32_t>& place) const {
    const std::uint32_t start = group.front();  // operations have the least vertex numbers
    constexpr std::uint32_t kUnseen = 0xffffffffU;
    // Breadth-first search by operations. The vertices between them cost nothing.
    std::vector<std::uint32_t> came_from(group.size(), kUnseen);
    std::vector<std::uint32_t> cost(group.size(), kUnseen);
    std::deque<std::uint32_t> queue = {start};
    while (!queue.empty()) {
      const std::uint32_t from = queue.front();
      queue.pop_front();
      const std::uint32_t so_far = from == start ? 0 : cost[place[from]];
      if (from == start && cost[place[start]] != kUnseen) {
        break;
      }
      for (std::uint32_t edge = graph_.row_begin(from); edge < graph_.row_end(from); ++edge) {
        const std::uint32_t to = graph_.target(edge);
        const std::uint32_t now = so_far + (is_txn(to) ? 1 : 0);
        if (component[to] != component[start] || now >= cost[place[to]]) {
          continue;
        }
        cost[place[to]] = now;
        came_from[place[to]] = from;
        is_txn(to) ? queue.push_back(to) : queue.push_front(to);
      }
    }
    return steps_of(start, place, came_from);
  }

  [[nodiscard]] std::vector<CycleStep> steps_of(std::uint32_t start,
                                                const std::vector<std::uint32_t>& place,
                                                const std::vector<std::uint32_t>& came_from) const {
    std::vector<CycleStep> steps;
    std::uint32_t vertex = start;
    CycleStep step;
    do {
      vertex = came_from[place[vertex]];
      if (is_txn(vertex)) {
        step.from = TxnId{vertex};
        steps.push_back(std::exchange(step, {}));
      } else if (vertex < step_end_) {
        const Step& named = steps_[vertex - history_.txn_count()];
        step = {.from = {}, .key = named.key, .before = named.before, .after = named.after};
      }
    } while (vertex != start);
    std::ranges::reverse(steps);
    return steps;
  }

  const History& history_;
  std::vector<LabelledEdge> edges_;
  std::vector<Step> steps_;  // by vertex, from the number of transactions on
  std::uint32_t next_vertex_ = 0;
  std::uint32_t step_end_ = 0;
  bool shows_something_ = false;
  Digraph graph_;
};

}  // namespace

IncrementCycles find_increment_cycles(const History& history, std::size_t most) {
  return IncrementGraph(history).cycles(most);
}

}  // namespace elapid::monotonic
