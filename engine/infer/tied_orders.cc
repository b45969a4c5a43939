#include "engine/infer/tied_orders.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/graph/edge_label.h"
#include "engine/graph/incremental_order.h"

namespace elapid {

namespace {

using Edge = IncrementalOrder::Edge;

/// Edges looked at and moved, for each that holds whatever is chosen or that one choice adds.
constexpr std::uint64_t kLookedAt = 20;

class TiedOrders {
 public:
  TiedOrders(const History& history, const Inference& inference, ExternalOrders orders)
      : tied_(inference.tied), vertex_count_(static_cast<std::uint32_t>(history.txn_count())) {
    std::vector<LabelledEdge> edges;
    std::ranges::copy_if(inference.edges, std::back_inserter(edges),
                         [](const LabelledEdge& edge) { return (edge.label & kWwEdge) != 0; });
    if (orders.process) {
      add_process_edges(history, inference.believed, edges);
    }
    if (orders.realtime) {
      add_timeline(history, EventOrder(history), inference.believed, vertex_count_, edges);
    }
    for (const LabelledEdge& edge : edges) {
      certain_.emplace_back(edge.from, edge.to);
    }
  }

  bool find(const std::function<bool()>& keep_going) {
    const Adjacency successors(vertex_count_, certain_, [](const Edge& edge) { return edge; });
    const std::vector<std::uint32_t> order = topological_order(successors);
    if (order.size() < vertex_count_) {
      return false;
    }
    std::uint64_t most = kLookedAt * (vertex_count_ + certain_.size());
    for (const Inference::Tied& key : tied_) {
      most += kLookedAt * (key.behind.size() + key.orders.front().size());
    }
    IncrementalOrder writers(vertex_count_, certain_, order);
    std::vector<Choice> choices(1);
    while (choices.size() <= tied_.size()) {
      Choice& choice = choices.back();
      const Inference::Tied& key = tied_[choices.size() - 1];
      if (writers.work() + moved_ > most || !keep_going()) {
        return false;
      }
      if (choice.next == key.orders.size()) {
        choices.pop_back();
        if (choices.empty()) {
          return false;
        }
        take_back(writers, choices.back().edges);
      } else if (insert(writers, key, choice)) {
        choices.emplace_back();
      }
    }
    return true;
  }

 private:
  /// Of one key.
  struct Choice {
    std::size_t next = 0;   ///< of its orders, to be tried
    std::size_t edges = 0;  ///< of the one that was tried last
  };

  void take_back(IncrementalOrder& writers, std::size_t edges) {
    moved_ += edges;
    for (; edges > 0; --edges) {
      writers.remove_last();
    }
  }

  /// Whether the next order of the key closes no cycle.
  bool insert(IncrementalOrder& writers, const Inference::Tied& key, Choice& choice) {
    const std::vector<TxnId>& order = key.orders[choice.next++];
    choice.edges = 0;
    const auto add = [&](TxnId from, TxnId to) {
      ++moved_;
      const bool is_possible = from == to || writers.insert(from.value, to.value);
      choice.edges += is_possible && from != to ? 1U : 0U;
      return is_possible;
    };
    bool is_possible = true;
    for (std::size_t i = 1; i < order.size() && is_possible; ++i) {
      is_possible = add(order[i - 1], order[i]);
    }
    for (std::size_t i = 0; i < key.behind.size() && is_possible && !order.empty(); ++i) {
      is_possible = add(order.back(), key.behind[i]);
    }
    if (!is_possible) {
      take_back(writers, choice.edges);
    }
    return is_possible;
  }

  std::span<const Inference::Tied> tied_;
  std::uint32_t vertex_count_;
  std::vector<Edge> certain_;
  std::uint64_t moved_ = 0;  // edges inserted and taken back
};

}  // namespace

bool finds_order_of_writers(const History& history, const Inference& inference,
                            ExternalOrders orders, const std::function<bool()>& keep_going) {
  return TiedOrders(history, inference, orders).find(keep_going);
}

}  // namespace elapid
