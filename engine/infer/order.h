// Session order and real-time order as edges.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/graph/digraph.h"
#include "engine/graph/transitive_order.h"
#include "engine/infer/inference.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The orders of transactions that count beside dependencies.
struct ExternalOrders {
  bool process = false;
  bool realtime = false;
};

/// The transactions' events in the order of the history, for sweeps.
class EventOrder {
 public:
  /// No events.
  EventOrder() = default;
  explicit EventOrder(const History& history);

  /// Calls `visit(txn, kind)` for every event in order.
  template <class Visit>
  void each(Visit visit) const {
    for (const std::uint32_t slot : slots_) {
      if (slot != kSkipped) {
        visit(TxnId{slot & ~kCompletionBit},
              (slot & kCompletionBit) != 0 ? EventKind::kCompletion : EventKind::kInvocation);
      }
    }
  }

 private:
  static constexpr std::uint32_t kCompletionBit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t kSkipped = 0xffffffffU;
  std::vector<std::uint32_t> slots_;  // by EventId
};

/// Of `touches(txn)`, which have a `key` and stay where they are: calls `link(a, its touch, b, its
/// touch)` for two on one key if b was invoked after a, which committed, completed, and no other
/// committed touch of the key lies between them. O(touches * concurrency on a key).
template <class Touch, class Touches, class Link>
void each_realtime_link(const History& history, Touches touches, Link link) {
  struct Done {
    TxnId txn;
    const Touch* touch;
  };

  std::vector<std::vector<Done>> done(history.key_count());
  EventOrder(history).each([&](TxnId txn, EventKind kind) {
    for (const Touch& touch : touches(txn)) {
      std::vector<Done>& before = done[touch.key.index()];
      if (kind == EventKind::kInvocation) {
        for (const Done& earlier : before) {
          link(earlier.txn, *earlier.touch, txn, touch);
        }
      } else if (history.committed(txn)) {
        if (history.has_invocation(txn)) {
          const EventId invoked = history.invocation_id(txn);
          std::erase_if(before,
                        [&](const Done& d) { return history.completion_id(d.txn) < invoked; });
        }
        before.push_back({txn, &touch});
      }
    }
  });
}

/// Adds process edges between consecutive believed transactions of a session. No edge leads from an
/// indeterminate transaction: it may take effect after later transactions of its session.
void add_process_edges(const History& history, const std::vector<bool>& believed,
                       std::vector<LabelledEdge>& edges);

/// Adds real time as a chain of auxiliary vertices, which are numbered from `next_vertex` on;
/// advances `next_vertex`. Completions lead to the chain, and the chain leads to later invocations.
/// Linear. Paths along the chain relate exactly the pairs that real time relates.
void add_timeline(const History& history, const EventOrder& order,
                  const std::vector<bool>& believed, std::uint32_t& next_vertex,
                  std::vector<LabelledEdge>& edges);

/// Adds Elle's real-time edges (docs/elle-rules.md) for which `wanted(from, to)` holds: from each
/// committed transaction to those invoked after its completion, unless another one fits in between.
/// O(events * concurrency).
void add_realtime_edges(const History& history, const EventOrder& order,
                        const std::vector<bool>& believed,
                        const std::function<bool(TxnId, TxnId)>& wanted,
                        std::vector<LabelledEdge>& edges);

/// The orders among some believed transactions, with all pairs: vertex i is `txns[i]`. Requires
/// ascending `txns`. O(txns * log txns).
[[nodiscard]] std::vector<TransitiveOrder> transitive_orders(const History& history,
                                                             ExternalOrders orders,
                                                             std::span<const TxnId> txns);

/// Whether real time or session order relates any two transactions, aborted ones included. Elle
/// looks for an empty graph in this way.
[[nodiscard]] bool orders_anything(const History& history, ExternalOrders orders);

}  // namespace elapid
