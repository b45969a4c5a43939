#include "engine/graph/shortest_cycle.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/graph/reachability.h"
#include "engine/graph/scc.h"

namespace elapid {

namespace {

/// The edge visits that a class with one anti-dependency may spend before all starts are decided at
/// once.
constexpr std::uint64_t kVisitsBeforeDeciding = 2'000'000;

/// The states of a query, numbered densely.
class StateTable {
 public:
  explicit StateTable(const CycleQuery& query) {
    numbers_.fill(kUnknown);
    add(CycleState::start(query));
    for (std::size_t i = 0; i < states_.size(); ++i) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        const auto label = static_cast<EdgeLabel>(1U << bit);
        for (const EdgeLabel taken : states_[i].choices(query, label, false)) {
          add(states_[i].after(query, taken));
        }
      }
    }
  }

  [[nodiscard]] std::uint32_t number(CycleState state) const { return numbers_[state.code()]; }

  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(states_.size()); }

 private:
  static constexpr std::uint32_t kUnknown = 0xffffffffU;

  void add(CycleState state) {
    if (numbers_[state.code()] == kUnknown) {
      numbers_[state.code()] = count();
      states_.push_back(state);
    }
  }

  std::array<std::uint32_t, CycleState::kCodes> numbers_ = {};
  std::vector<CycleState> states_;
};

/// The graph with the information whether the last edge was an anti-dependency. Vertex 2v is v
/// reached by another edge, 2v + 1 is v reached by an anti-dependency.
class NonadjacentSuccessors {
 public:
  NonadjacentSuccessors(const Digraph& graph, const CycleQuery& query)
      : graph_(graph), query_(query) {}

  bool next(std::uint32_t vertex, std::uint32_t& cursor, std::uint32_t& to) const {
    const std::uint32_t v = vertex / 2;
    const bool after_rw = vertex % 2 == 1;
    // Each edge is looked at twice: for its other labels, then as an anti-dependency.
    for (std::uint32_t edge = graph_.row_begin(v) + cursor / 2; edge < graph_.row_end(v);
         edge = graph_.row_begin(v) + cursor / 2) {
      const bool as_rw = cursor++ % 2 == 1;
      const EdgeLabel mask = as_rw ? query_.rw : query_.base;
      if ((graph_.label(edge) & mask) != 0 && !(as_rw && after_rw)) {
        to = 2 * graph_.target(edge) + (as_rw ? 1 : 0);
        return true;
      }
    }
    return false;
  }

 private:
  const Digraph& graph_;
  const CycleQuery& query_;
};

/// Vertices from which a walk of the query can start and close. In the single mode it may not
/// close.
class Starts {
 public:
  Starts(const Digraph& graph, const CycleQuery& query) : graph_(graph), query_(query) {
    doubled_ = query.mode == RwMode::kNonadjacent;
    components_ =
        doubled_
            ? strong_components(2 * graph.vertex_count(), NonadjacentSuccessors(graph, query))
            : strong_components(graph.vertex_count(), MaskedSuccessors(graph, query.mentioned()));
    for (const EdgeLabel set : query.required) {
      demand(set);
    }
    if (query.mode != RwMode::kNone) {
      demand(query.rw);
    }
  }

  [[nodiscard]] std::vector<std::uint32_t> find() const {
    std::vector<std::uint32_t> starts;
    const CycleState start = CycleState::start(query_);
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      if (good(node(v, false)) && has_first_step(v, start)) {
        starts.push_back(v);
      }
    }
    return starts;
  }

 private:
  [[nodiscard]] std::uint32_t node(std::uint32_t v, bool by_rw) const {
    return doubled_ ? 2 * v + (by_rw ? 1 : 0) : v;
  }

  /// Components must contain an edge with one of these labels.
  void demand(EdgeLabel labels) {
    if (labels == 0) {
      return;
    }
    std::vector<bool> contains(components_.count, false);
    const bool as_rw = doubled_ && (labels & query_.rw) != 0;
    for (std::uint32_t v = 0; v < graph_.vertex_count(); ++v) {
      for (std::uint32_t e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
        if ((graph_.label(e) & labels) == 0) {
          continue;
        }
        const std::uint32_t to = components_.of[node(graph_.target(e), as_rw)];
        // Any edge but an anti-dependency may follow an anti-dependency.
        if (to == components_.of[node(v, false)] ||
            (!as_rw && to == components_.of[node(v, true)])) {
          contains[to] = true;
        }
      }
    }
    demands_.push_back(std::move(contains));
  }

  [[nodiscard]] bool good(std::uint32_t node) const {
    return std::all_of(demands_.begin(), demands_.end(), [&](const std::vector<bool>& contains) {
      return contains[components_.of[node]];
    });
  }

  [[nodiscard]] bool has_first_step(std::uint32_t v, CycleState start) const {
    for (std::uint32_t e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
      for (const EdgeLabel label : start.choices(query_, graph_.label(e), true)) {
        const bool as_rw = doubled_ && (label & query_.rw) != 0;
        if (components_.of[node(v, false)] == components_.of[node(graph_.target(e), as_rw)]) {
          return true;
        }
      }
    }
    return false;
  }

  const Digraph& graph_;
  const CycleQuery& query_;
  bool doubled_ = false;
  Components components_;
  std::vector<std::vector<bool>> demands_;
};

/// A transitive order during a search: by chain and state, the place from which on the chain was
/// looked at.
class OrderInUse {
 public:
  OrderInUse(const TransitiveOrder& order, std::uint32_t state_count)
      : order_(&order), looked_at_(order.chain_count() * state_count) {}

  [[nodiscard]] const TransitiveOrder& order() const { return *order_; }

  /// The vertex's successors that nothing in this state has led to since `stamp` was new. They
  /// count as looked at from now on.
  std::span<const std::uint32_t> new_successors(std::uint32_t vertex, std::uint32_t state,
                                                std::uint32_t stamp) {
    const TransitiveOrder::Rest rest = order_->successors(vertex);
    if (rest.begin == rest.end) {
      return {};
    }
    Looked& looked = looked_at_[state * order_->chain_count() + rest.chain];
    const std::uint32_t end = looked.stamp == stamp ? looked.from : rest.end;
    if (rest.begin >= end) {
      return {};
    }
    looked = {stamp, rest.begin};
    return order_->members().subspan(rest.begin, end - rest.begin);
  }

 private:
  struct Looked {
    std::uint32_t stamp = 0;
    std::uint32_t from = 0;
  };

  const TransitiveOrder* order_;
  std::vector<Looked> looked_at_;
};

constexpr std::size_t kAnyLength = std::numeric_limits<std::size_t>::max();

class CycleSearch {
 public:
  CycleSearch(const Digraph& graph, const CycleQuery& query, SearchBudget& budget,
              std::span<const TransitiveOrder> orders = {})
      : graph_(graph),
        query_(query),
        budget_(&budget),
        table_(query),
        seen_(std::size_t{graph.vertex_count()} * table_.count(), 0) {
    for (const TransitiveOrder& order : orders) {
      if ((query.mentioned() & order.label()) != 0) {
        orders_.emplace_back(order, table_.count());
      }
      listed_ = static_cast<EdgeLabel>(listed_ & ~order.label());
    }
  }

  ShortestCycleResult run() {
    const std::vector<std::uint32_t> starts = Starts(graph_, query_).find();
    if (query_.mode != RwMode::kSingle) {
      // The first start always succeeds, so the class is found whatever the budget.
      search_all(starts, true);
      return std::move(result_);
    }
    SearchBudget trial = budget_->split_off(kVisitsBeforeDeciding);
    SearchBudget* const whole = std::exchange(budget_, &trial);
    const std::size_t tried = search_all(starts, false);
    budget_ = whole;
    budget_->rejoin(trial);
    if (tried == starts.size() || !result_.walk.empty()) {
      return std::move(result_);
    }
    result_.out_of_budget = false;
    search_all(decide(std::span(starts).subspan(tried)), true);
    return std::move(result_);
  }

  /// The first walk that is found is enough.
  ShortestCycleResult run_for_any() {
    any_ = true;
    return run();
  }

  std::vector<CycleEdge> run_below(std::size_t length) {
    bound_ = length;
    if (bound_ > kShortest) {
      search_all(Starts(graph_, query_).find(), false);
    }
    return std::move(result_.walk);
  }

 private:
  struct Node {
    std::uint32_t parent;
    std::uint32_t vertex;
    EdgeLabel label;
    CycleState state;
  };

  static constexpr std::uint32_t kNoParent = 0xffffffffU;
  static constexpr std::size_t kShortest = 2;

  /// Searches from each start in turn; returns how many were searched to the end. With
  /// `first_succeeds` the first search ignores the budget.
  std::size_t search_all(const std::vector<std::uint32_t>& starts, bool first_succeeds) {
    for (std::size_t i = 0; i < starts.size(); ++i) {
      if (bound_ == kShortest || (any_ && !result_.walk.empty())) {
        return starts.size();
      }
      const bool unbounded = first_succeeds && i == 0;
      if (!search_from(starts[i], unbounded)) {
        result_.out_of_budget = true;
        return i;
      }
    }
    return starts.size();
  }

  /// The starts of anti-dependencies whose end leads back to them.
  std::vector<std::uint32_t> decide(std::span<const std::uint32_t> starts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    for (const std::uint32_t v : starts) {
      for (std::uint32_t e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
        if ((graph_.label(e) & query_.rw) != 0) {
          pairs.emplace_back(graph_.target(e), v);
        }
      }
    }
    const std::vector<bool> closes = reachable(graph_, query_.base, pairs, *budget_);
    result_.out_of_budget = budget_->exhausted();
    std::vector<std::uint32_t> good;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      if (closes[i] && (good.empty() || good.back() != pairs[i].second)) {
        good.push_back(pairs[i].second);
      }
    }
    return good;
  }

  /// False if the budget ran out before the search was over.
  bool search_from(std::uint32_t start, bool unbounded) {
    ++stamp_;
    start_ = start;
    queue_.assign(1, {kNoParent, start, 0, CycleState::start(query_)});
    std::size_t depth = 0;  // of the nodes from `at` to `level_end`
    std::size_t level_end = 1;
    for (std::size_t at = 0; at < queue_.size(); ++at) {
      if (at == level_end) {
        level_end = queue_.size();
        ++depth;
      }
      if (depth + 1 >= bound_) {
        return true;
      }
      const std::uint32_t v = queue_[at].vertex;
      const std::uint64_t cost = graph_.row_end(v) - graph_.row_begin(v) + std::exchange(owed_, 0);
      if (!budget_->spend(cost) && !unbounded) {
        return false;
      }
      is_last_level_ = depth + 2 >= bound_;
      if (expand(static_cast<std::uint32_t>(at))) {
        return true;
      }
    }
    return true;
  }

  /// True if a walk closed.
  bool expand(std::uint32_t at) {
    const Node node = queue_[at];
    for (std::uint32_t e = graph_.row_begin(node.vertex); e < graph_.row_end(node.vertex); ++e) {
      const std::uint32_t to = graph_.target(e);
      const auto labels = static_cast<EdgeLabel>(graph_.label(e) & listed_);
      for (const EdgeLabel label : node.state.choices(query_, labels, at == 0)) {
        const CycleState state = node.state.after(query_, label);
        if (to == start_ && state.accepts(query_)) {
          keep_walk(at, label);
          return true;
        }
        visit(at, to, label, state);
      }
    }
    return std::any_of(orders_.begin(), orders_.end(),
                       [&](OrderInUse& order) { return expand_in(order, at); });
  }

  /// The same for the edges of a transitive order.
  bool expand_in(OrderInUse& in_use, std::uint32_t at) {
    const Node node = queue_[at];
    const TransitiveOrder& order = in_use.order();
    for (const EdgeLabel label : node.state.choices(query_, order.label(), at == 0)) {
      const CycleState state = node.state.after(query_, label);
      if (order.precedes(node.vertex, start_) && state.accepts(query_)) {
        keep_walk(at, label);
        return true;
      }
      if (is_last_level_) {
        continue;
      }
      const auto reached = in_use.new_successors(node.vertex, table_.number(state), stamp_);
      owed_ += reached.size();
      for (const std::uint32_t to : reached) {
        visit(at, to, label, state);
      }
    }
    return false;
  }

  void visit(std::uint32_t at, std::uint32_t to, EdgeLabel label, CycleState state) {
    std::uint32_t& seen = seen_[std::size_t{to} * table_.count() + table_.number(state)];
    if (!is_last_level_ && seen != stamp_) {
      seen = stamp_;
      queue_.push_back({at, to, label, state});
    }
  }

  /// The walk to the node, closed by an edge to the start.
  void keep_walk(std::uint32_t at, EdgeLabel closing) {
    result_.walk.assign(1, {queue_[at].vertex, start_, closing});
    for (; queue_[at].parent != kNoParent; at = queue_[at].parent) {
      result_.walk.push_back(
          {queue_[queue_[at].parent].vertex, queue_[at].vertex, queue_[at].label});
    }
    std::reverse(result_.walk.begin(), result_.walk.end());
    bound_ = result_.walk.size();
  }

  const Digraph& graph_;
  const CycleQuery& query_;
  SearchBudget* budget_;
  StateTable table_;
  std::vector<OrderInUse> orders_;
  EdgeLabel listed_ = 0xff;          // labels whose edges are taken from the graph
  std::vector<std::uint32_t> seen_;  // stamp by vertex and state
  std::size_t bound_ = kAnyLength;   // only walks of fewer edges are of interest
  bool any_ = false;                 // the first walk that is found is enough
  std::uint32_t stamp_ = 0;          // of the search from start_
  std::uint32_t start_ = 0;
  bool is_last_level_ = false;  // a walk that does not close now is too long
  std::uint64_t owed_ = 0;      // visits not yet taken from the budget
  std::vector<Node> queue_;
  ShortestCycleResult result_;
};

}  // namespace

ShortestCycleResult shortest_cycle(const Digraph& graph, const CycleQuery& query,
                                   SearchBudget& budget, std::span<const TransitiveOrder> orders) {
  return CycleSearch(graph, query, budget, orders).run();
}

std::vector<CycleEdge> shorter_cycle(const Digraph& graph, const CycleQuery& query,
                                     SearchBudget& budget, std::span<const TransitiveOrder> orders,
                                     std::size_t length) {
  return CycleSearch(graph, query, budget, orders).run_below(length);
}

bool has_closed_walk(const Digraph& graph, const CycleQuery& query, SearchBudget& budget) {
  const ShortestCycleResult result = CycleSearch(graph, query, budget).run_for_any();
  return !result.walk.empty() || result.out_of_budget;
}

std::vector<std::vector<CycleEdge>> simple_cycles(std::span<const CycleEdge> walk) {
  std::vector<std::vector<CycleEdge>> cycles;
  std::vector<CycleEdge> path;  // open so far, no vertex twice
  std::unordered_map<std::uint32_t, std::size_t>
      left_at;  // vertex -> position in path of the edge leaving it
  for (const CycleEdge& edge : walk) {
    left_at[edge.from] = path.size();
    path.push_back(edge);
    const auto met = left_at.find(edge.to);
    if (met == left_at.end()) {
      continue;
    }
    const std::size_t begin = met->second;
    cycles.emplace_back(path.begin() + static_cast<std::ptrdiff_t>(begin), path.end());
    for (std::size_t i = begin; i < path.size(); ++i) {
      left_at.erase(path[i].from);
    }
    path.resize(begin);
  }
  return cycles;
}

}  // namespace elapid
