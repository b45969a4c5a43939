#include "engine/verdict/rows_evidence.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace elapid {

namespace {

bool is_anti(const RowsCycleEdge& edge) {
  return edge.shown_by != nullptr && edge.relation == Relation::kRw;
}

struct ChoiceHash {
  std::size_t operator()(const RowsChoice& choice) const {
    std::uint64_t h = choice.first.txn.value;
    for (const std::uint64_t part :
         {std::uint64_t{choice.second.txn.value}, std::uint64_t{choice.middle.value},
          std::uint64_t{choice.row.value},
          std::uint64_t{choice.mop} * 32 + static_cast<std::uint64_t>(choice.kind) * 8 +
              (choice.holds ? 4U : 0U) + (choice.first.is_commit ? 2U : 0U) +
              (choice.second.is_commit ? 1U : 0U)}) {
      h = (h ^ part) * 0x9e3779b97f4a7c15U;
      h ^= h >> 29;
    }
    return static_cast<std::size_t>(h);
  }
};

/// The part of the order that single operations show. If a fact leaves several choices, clauses of
/// one choice refute all but one.
class ShownOrder {
 public:
  explicit ShownOrder(const RowsProofEvidence& evidence) {
    for (const RowsProofStep& step : evidence.steps) {
      if (step.clause.size() == 1) {
        certain_.insert(step.clause.front());
      }
    }
    for (const RowsProofStep& step : evidence.steps) {
      if (step.reason == RowsProofStep::Reason::kFound ||
          step.reason == RowsProofStep::Reason::kOverlap ||
          step.reason == RowsProofStep::Reason::kVersions) {
        note_fact(step);
      } else if (step.reason == RowsProofStep::Reason::kCycle) {
        note_given(step);
      }
    }
  }

  /// The cycle with the fewest anti-dependencies, then the fewest edges of sessions or real time,
  /// then the fewest edges. Empty if there is none, or if the search takes too long.
  [[nodiscard]] std::vector<RowsCycleEdge> best_cycle() const {
    std::vector<std::size_t> best;
    std::uint64_t least = kNoCost;
    std::size_t work = 0;
    for (std::size_t i = 0; i < edges_.size() && work < kMostWork; ++i) {
      if (edges_[i].shown_by != nullptr) {
        if (auto cycle = cheapest_through(i, least, work); !cycle.empty()) {
          best = std::move(cycle);
        }
      }
    }
    std::vector<RowsCycleEdge> cycle;
    std::ranges::transform(best, std::back_inserter(cycle),
                           [&](std::size_t i) { return edges_[i]; });
    // The start and the commit of a transaction are one node of the cycle.
    std::erase_if(cycle, [](const RowsCycleEdge& e) { return e.from.txn == e.to.txn; });
    return cycle;
  }

 private:
  static constexpr std::uint64_t kNoCost = ~std::uint64_t{0};
  static constexpr std::size_t kMostWork = 1'000'000;  // edges

  static std::uint64_t cost(const RowsCycleEdge& edge) {
    return edge.from.txn == edge.to.txn ? 0
           : edge.shown_by == nullptr   ? 0x10001
           : is_anti(edge)              ? 0x1'0000'0001
                                        : 1;
  }

  static std::uint64_t code(OrderEvent event) {
    return 2 * std::uint64_t{event.txn.value} + (event.is_commit ? 1 : 0);
  }

  void note_fact(const RowsProofStep& step) {
    const RowsChoice* left = nullptr;
    std::size_t open = 0;
    for (const RowsChoice& choice : step.clause) {
      if (!certain_.contains(contrary(choice))) {
        left = &choice;
        ++open;
      }
    }
    if (open == 1) {
      note_choice(*left, step, true);
    }
    // If all choices are refuted, each one follows if the others are refuted first.
    for (const RowsChoice& choice : open == 0 ? step.clause : std::vector<RowsChoice>()) {
      note_choice(choice, step, step.clause.size() == 1);
    }
  }

  void note_choice(const RowsChoice& choice, const RowsProofStep& step, bool is_certain) {
    if (!choice.holds) {
      return;
    }
    if (choice.kind == RowsChoice::Kind::kBefore) {
      add_edge(choice.first, choice.second, &step, is_certain);
    } else if (choice.kind == RowsChoice::Kind::kBetween) {
      if (!choice.first.txn.is_none()) {
        add_edge(choice.first, {choice.middle, true}, &step, is_certain);
      }
      add_edge({choice.middle, true}, choice.second, &step, is_certain);
    } else if (choice.kind == RowsChoice::Kind::kConcerned && !choice.middle.is_none()) {
      add_edge({choice.middle, true}, choice.first, &step, is_certain);
    }
  }

  /// Adds the edges that the cycle assumes.
  void note_given(const RowsProofStep& step) {
    for (std::size_t i = 0; i < step.cycle.size(); ++i) {
      const OrderEvent from = step.cycle[i];
      const OrderEvent to = step.cycle[(i + 1) % step.cycle.size()];
      const RowsChoice doubt = {.kind = RowsChoice::Kind::kBefore, .first = to, .second = from};
      if (from.txn != to.txn && std::ranges::find(step.clause, doubt) == step.clause.end()) {
        add_edge(from, to, nullptr, true);
      }
    }
  }

  /// An uncertain edge is only part of cycles that start with it.
  void add_edge(OrderEvent from, OrderEvent to, const RowsProofStep* shown_by, bool is_certain) {
    for (const OrderEvent event : {from, to}) {
      if (!event.is_commit && has_own_.insert(event.txn.value).second) {
        from_[code(event)].push_back(edges_.size());
        edges_.push_back({.from = event, .to = {event.txn, true}});
      }
    }
    if (is_certain) {
      from_[code(from)].push_back(edges_.size());
    }
    edges_.push_back({.from = from, .to = to, .shown_by = shown_by});
    if (shown_by != nullptr) {
      edges_.back().relation = relation_shown(*shown_by, from, to);
    }
  }

  /// Dijkstra's algorithm. Empty if no cycle through the edge costs less than `least`. Otherwise
  /// `least` becomes its cost.
  std::vector<std::size_t> cheapest_through(std::size_t first, std::uint64_t& least,
                                            std::size_t& work) const {
    struct Reached {
      std::uint64_t cost = kNoCost;
      std::size_t by = 0;  // an edge
    };

    std::unordered_map<std::uint64_t, Reached> reached;
    std::set<std::pair<std::uint64_t, std::uint64_t>> open;  // by cost
    const auto reach = [&](std::size_t by, std::uint64_t before) {
      const std::uint64_t now = before + cost(edges_[by]);
      Reached& end = reached[code(edges_[by].to)];
      if (now < end.cost && now < least) {
        open.erase({end.cost, code(edges_[by].to)});
        end = {now, by};
        open.emplace(now, code(edges_[by].to));
      }
    };
    reach(first, 0);
    const std::uint64_t goal = code(edges_[first].from);
    while (!open.empty()) {
      const auto [now, at] = *open.begin();
      open.erase(open.begin());
      if (at == goal) {
        least = now;
        return way_back(first, goal, [&](std::uint64_t event) { return reached.at(event).by; });
      }
      const auto out = from_.find(at);
      for (const std::size_t edge : out == from_.end() ? std::vector<std::size_t>() : out->second) {
        ++work;
        reach(edge, now);
      }
    }
    return {};
  }

  template <class ReachedBy>
  std::vector<std::size_t> way_back(std::size_t first, std::uint64_t goal,
                                    ReachedBy reached_by) const {
    std::vector<std::size_t> cycle;
    for (std::uint64_t at = goal; cycle.empty() || cycle.back() != first;
         at = code(edges_[cycle.back()].from)) {
      cycle.push_back(reached_by(at));
    }
    std::ranges::reverse(cycle);
    return cycle;
  }

  std::unordered_set<RowsChoice, ChoiceHash> certain_;
  std::vector<RowsCycleEdge> edges_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> from_;  // edges, by event
  std::unordered_set<std::uint32_t> has_own_;  // transactions whose start leads to their commit
};

/// A reader that must precede a writer, although the writer is given to precede it.
std::vector<RowsCycleEdge> given_contradiction(const RowsProofEvidence& evidence) {
  for (const RowsProofStep& step : evidence.steps) {
    if (!step.clause.empty() || step.reason != RowsProofStep::Reason::kFound) {
      continue;
    }
    for (const LastWriter& cause : step.causes) {
      if (!cause.writer.is_none() && cause.reader == step.txn) {
        const OrderEvent reader = {step.txn, true};
        const OrderEvent writer = {cause.writer, true};
        return {{.from = reader, .to = writer, .shown_by = &step, .relation = Relation::kRw},
                {.from = writer, .to = reader}};
      }
    }
  }
  return {};
}

}  // namespace

RowsChoice contrary(RowsChoice choice) {
  if (choice.kind == RowsChoice::Kind::kBefore) {
    std::swap(choice.first, choice.second);
  } else {
    choice.holds = !choice.holds;
  }
  return choice;
}

Relation relation_shown(const RowsProofStep& step, OrderEvent from, OrderEvent to) {
  if (step.reason == RowsProofStep::Reason::kOverlap) {
    return Relation::kWw;
  }
  return from.txn == step.txn ? Relation::kRw : to.txn == step.txn ? Relation::kWr : Relation::kWw;
}

std::vector<RowsCycleEdge> plain_cycle(const RowsProofEvidence& evidence) {
  std::vector<RowsCycleEdge> cycle = ShownOrder(evidence).best_cycle();
  return cycle.empty() ? given_contradiction(evidence) : cycle;
}

}  // namespace elapid
