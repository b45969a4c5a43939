#include "engine/saturate/level_check.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "engine/graph/scc.h"
#include "engine/saturate/axioms.h"
#include "engine/saturate/causal_in_order.h"
#include "engine/saturate/conflict_writer.h"
#include "engine/saturate/precedence.h"

namespace elapid {

namespace {

/// The number of members of a component from which a shortest cycle is looked for.
constexpr std::size_t kRootsTried = 64;

/// A shortest cycle through one of the first members of a strongly connected component.
class ShortestCycle {
 public:
  ShortestCycle(const Precedence& graph, const Components& components)
      : graph_(graph), components_(components) {}

  std::vector<std::uint32_t> find(std::span<const std::uint32_t> members) {
    std::vector<std::uint32_t> shortest;
    for (const std::uint32_t root : members.first(std::min(members.size(), kRootsTried))) {
      const std::size_t limit = shortest.empty() ? members.size() : shortest.size() - 1;
      std::vector<std::uint32_t> cycle = through(root, limit);
      if (!cycle.empty()) {
        shortest = std::move(cycle);
      }
      if (shortest.size() == 2) {
        break;
      }
    }
    return shortest;
  }

 private:
  /// Searches backwards, breadth first. Empty if the cycle has more than `limit` vertices.
  std::vector<std::uint32_t> through(std::uint32_t root, std::size_t limit) {
    next_.clear();
    std::deque<std::pair<std::uint32_t, std::size_t>> pending = {{root, 1}};
    while (!pending.empty()) {
      const auto [v, length] = pending.front();
      pending.pop_front();
      std::uint32_t cursor = 0;
      std::uint32_t before = 0;
      while (length <= limit && graph_.next(v, cursor, before)) {
        if (before == root) {
          return path_from(v, root);
        }
        if (components_.of[before] == components_.of[root] && next_.emplace(before, v).second) {
          pending.emplace_back(before, length + 1);
        }
      }
    }
    return {};
  }

  /// The edge from `root` to `v` closes the cycle.
  [[nodiscard]] std::vector<std::uint32_t> path_from(std::uint32_t v, std::uint32_t root) const {
    std::vector<std::uint32_t> cycle = {root};
    for (; v != root; v = next_.at(v)) {
      cycle.push_back(v);
    }
    return cycle;
  }

  const Precedence& graph_;
  const Components& components_;
  std::unordered_map<std::uint32_t, std::uint32_t> next_;  // towards the root
};

class LevelCheck {
 public:
  LevelCheck(const Observations& seen, OrderLevel level, std::size_t conflict_limit,
             const LevelBudget& budget)
      : seen_(seen),
        level_(level),
        conflict_limit_(conflict_limit),
        budget_(budget),
        graph_(seen, level) {}

  LevelFindings run() {
    ForcedEdges forced;
    if (level_.visibility == Visibility::kCausal) {
      order();
      if (is_cyclic()) {
        explain_cycles();
        return std::move(found_);
      }
      if (is_dear() && violates_read_atomic()) {
        return std::move(found_);
      }
      found_.is_complete = force_causal(seen_, level_.sessions, found_.order, budget_, forced);
      found_.order.clear();
      if (!found_.is_complete) {
        return std::move(found_);
      }
    }
    std::uint32_t vertex_count = graph_.vertex_count();
    found_.is_complete = force(vertex_count, forced);
    if (!found_.is_complete) {
      return std::move(found_);
    }
    explain_stale_reads(forced);
    graph_.force(forced, vertex_count);
    forced = {};
    order();
    explain_cycles();
    if (!found_.conflicts.empty()) {
      found_.order.clear();
    }
    return std::move(found_);
  }

 private:
  /// Whether there are so many sessions that computing all visible transactions takes long.
  [[nodiscard]] bool is_dear() const {
    constexpr std::size_t kManySessions = 1024;
    return seen_.history().session_count() > kManySessions;
  }

  /// Looks first for violations of read atomic, which is weaker and much cheaper.
  bool violates_read_atomic() {
    const OrderLevel weaker = {Visibility::kReadAtomic, level_.sessions, level_.real_time};
    LevelFindings found = LevelCheck(seen_, weaker, conflict_limit_, budget_).run();
    if (found.conflicts.empty()) {
      return false;
    }
    found_ = std::move(found);
    return true;
  }

  /// False if the budget was reached.
  bool force(std::uint32_t& vertex_count, ForcedEdges& forced) {
    switch (level_.visibility) {
      case Visibility::kReadCommitted:
        force_read_committed(seen_, level_, forced);
        return true;
      case Visibility::kReadAtomic:
        force_read_atomic(seen_, level_, forced);
        return true;
      case Visibility::kPram:
      case Visibility::kWritesFollowReads:
      case Visibility::kMonotonicWrites:
      case Visibility::kMonotonicReads:
      case Visibility::kReadYourWrites:
        return force_session_guarantee(seen_, level_.visibility, budget_, vertex_count, forced);
      default:
        return true;
    }
  }

  [[nodiscard]] bool is_cyclic() const { return components_.count < graph_.vertex_count(); }

  /// Components are numbered in the order of precedence.
  void order() {
    components_ = strong_components(graph_.vertex_count(), graph_);
    if (is_cyclic()) {
      found_.order.clear();
    } else {
      found_.order = present_in_order(seen_, components_);
    }
  }

  /// Removes the edges to the initial state, and explains them as stale reads.
  void explain_stale_reads(ForcedEdges& forced) {
    std::vector<std::uint32_t> writers;
    for (const ForcedEdge& edge : forced) {
      if (edge.after == Seen::kInitial) {
        writers.push_back(edge.before);
      }
    }
    if (writers.empty()) {
      return;
    }
    std::erase_if(forced, [](const ForcedEdge& edge) { return edge.after == Seen::kInitial; });
    std::ranges::sort(writers);
    const auto repeated = std::ranges::unique(writers);
    writers.erase(repeated.begin(), repeated.end());
    found_.violations += writers.size();
    ConflictWriter writer(seen_, level_);
    for (std::size_t i = 0; i < std::min(conflict_limit_, writers.size()); ++i) {
      found_.conflicts.push_back(writer.of_stale_read(writers[i]));
    }
  }

  void explain_cycles() {
    if (!is_cyclic()) {
      return;
    }
    ShortestCycle search(graph_, components_);
    ConflictWriter writer(seen_, level_);
    const std::vector<std::vector<std::uint32_t>> groups = components_.groups();
    found_.violations += groups.size();
    for (const std::vector<std::uint32_t>& group : groups) {
      if (found_.conflicts.size() >= conflict_limit_) {
        break;
      }
      std::vector<std::uint32_t> cycle = search.find(group);
      std::erase_if(cycle, [&](std::uint32_t v) { return v >= seen_.txn_count(); });
      found_.conflicts.push_back(writer.of_cycle(cycle));
    }
  }

  const Observations& seen_;
  OrderLevel level_;
  std::size_t conflict_limit_;
  const LevelBudget& budget_;
  Precedence graph_;
  Components components_;
  LevelFindings found_;
};

}  // namespace

LevelFindings check_level(const Observations& seen, OrderLevel level, std::size_t conflict_limit,
                          const LevelBudget& budget) {
  if (level.visibility != Visibility::kNothing) {
    if (auto order = find_causal_order(seen, level, budget.keep_going)) {
      return {.order = *std::move(order)};
    }
  }
  return check_level_by_axiom(seen, level, conflict_limit, budget);
}

LevelFindings check_level_by_axiom(const Observations& seen, OrderLevel level,
                                   std::size_t conflict_limit, const LevelBudget& budget) {
  return LevelCheck(seen, level, conflict_limit, budget).run();
}

}  // namespace elapid
