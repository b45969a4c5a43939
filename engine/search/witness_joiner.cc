#include "engine/search/witness_joiner.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "engine/graph/adjacency.h"

namespace elapid::search {

namespace {

class Joiner {
 public:
  Joiner(const Demands& demands, OrderLevel level)
      : demands_(demands),
        history_(demands.history()),
        is_serial_(level.visibility == Visibility::kSerial),
        takes_part_(history_.txn_count(), false) {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      takes_part_[txn.index()] = demands.role(txn) == Role::kCommitted;
      if (!is_serial_) {
        edges_.emplace_back(number({txn, false}), number({txn, true}));
      }
    }
    if (level.sessions) {
      add_sessions();
    }
  }

  void add(std::span<const OrderEvent> order) {
    for (std::size_t i = 0; i < order.size(); ++i) {
      takes_part_[order[i].txn.index()] = true;
      if (i > 0) {
        edges_.emplace_back(number(order[i - 1]), number(order[i]));
      }
    }
  }

  Witness join() {
    Witness witness;
    const TxnId initial = history_.info().initial_txn;
    const bool has_initial = !initial.is_none() && demands_.role(initial) == Role::kCommitted;
    if (has_initial) {
      takes_part_[initial.index()] = false;  // in the rest
      if (!is_serial_) {
        witness.order.push_back({initial, false});
      }
      witness.order.push_back({initial, true});
    }
    const auto count = static_cast<Index>(history_.txn_count());
    const Adjacency successors(is_serial_ ? count : 2 * count, edges_,
                               [](const auto& edge) { return edge; });
    for (const Index number : topological_order(successors)) {
      const OrderEvent event = {TxnId{is_serial_ ? number : number / 2},
                                is_serial_ || number % 2 == 1};
      if (takes_part_[event.txn.index()]) {
        witness.order.push_back(event);
      }
    }
    name_writers(witness);
    return witness;
  }

 private:
  [[nodiscard]] Index number(OrderEvent event) const {
    return is_serial_ ? event.txn.value : 2 * event.txn.value + (event.is_commit ? 1 : 0);
  }

  void add_sessions() {
    for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
      TxnId last;
      for (const TxnId txn : history_.session_txns(session)) {
        if (demands_.role(txn) == Role::kCommitted) {
          if (!last.is_none()) {
            edges_.emplace_back(number({last, true}), number({txn, is_serial_}));
          }
          last = txn;
        }
      }
    }
  }

  /// Carries the order out, for reads of registers that more than one could have served.
  void name_writers(Witness& witness) const {
    if (demands_.are_lists()) {
      return;
    }
    std::vector<Index> writers(demands_.versions().count(), 0);
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (demands_.role(txn) != Role::kAbsent) {
        for (const Access& access : demands_.accesses(txn)) {
          writers[access.writes() ? access.write : access.key.value] += access.writes() ? 1U : 0U;
        }
      }
    }
    std::vector<TxnId> last(history_.key_count());
    for (const OrderEvent event : witness.order) {
      for (const Access& access : demands_.accesses(event.txn)) {
        if (access.reads() && (is_serial_ || !event.is_commit)) {
          const Index initial = demands_.accepts(access.want, Versions::root(access.key)) ? 1 : 0;
          if (writers[access.want] + initial > 1) {
            witness.reads.push_back({event.txn, access.key, last[access.key.index()]});
          }
        }
        if (access.writes() && event.is_commit) {
          last[access.key.index()] = event.txn;
        }
      }
    }
    std::ranges::sort(witness.reads, {},
                      [](const ReadFrom& read) { return std::tuple(read.reader, read.key); });
  }

  const Demands& demands_;
  const History& history_;
  bool is_serial_;
  std::vector<bool> takes_part_;
  std::vector<std::pair<Index, Index>> edges_;
};

}  // namespace

Witness join_orders(const Demands& demands, OrderLevel level,
                    std::span<const std::vector<OrderEvent>> orders) {
  Joiner joiner(demands, level);
  for (const std::vector<OrderEvent>& order : orders) {
    joiner.add(order);
  }
  return joiner.join();
}

}  // namespace elapid::search
