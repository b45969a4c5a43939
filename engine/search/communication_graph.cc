#include "engine/search/communication_graph.h"

#include <iterator>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/graph/biconnected.h"

namespace elapid::search {

namespace {

/// Disjoint sets of numbers (Tarjan 1975), with path halving.
class DisjointSets {
 public:
  explicit DisjointSets(Index count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  Index find(Index member) {
    while (parent_[member] != member) {
      parent_[member] = parent_[parent_[member]];
      member = parent_[member];
    }
    return member;
  }

  void unite(Index a, Index b) { parent_[find(a)] = find(b); }

 private:
  std::vector<Index> parent_;
};

class Division {
 public:
  Division(const Demands& demands, OrderLevel level)
      : demands_(demands), history_(demands.history()), level_(level) {}

  std::vector<SearchComponent> run() {
    list_chains();
    connect();
    group();
    for (Index c = 0; c < chains_.size(); ++c) {
      place(c);
    }
    return std::move(components_);
  }

 private:
  struct Chain {
    std::vector<TxnId> txns = {};
    bool is_optional = false;
    Index after_chain = kNone;
    Index after_count = 0;
  };

  void list_chains() {
    for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
      const Index chain = add_chain_of(session);
      Index before = 0;  // the session's committed transactions
      for (const TxnId txn : history_.session_txns(session)) {
        before += chain != kNone && is_committed(txn) ? 1U : 0U;
        if (demands_.role(txn) == Role::kOptional) {
          optional_.push_back({.txns = {txn},
                               .is_optional = true,
                               .after_chain = before > 0 ? chain : kNone,
                               .after_count = before});
        }
      }
    }
    // They follow the chains that they wait for.
    std::move(optional_.begin(), optional_.end(), std::back_inserter(chains_));
  }

  [[nodiscard]] bool is_committed(TxnId txn) const {
    return demands_.role(txn) == Role::kCommitted && txn != history_.info().initial_txn;
  }

  /// Adds the chain of the session's committed transactions; without session order, one chain for
  /// each.
  Index add_chain_of(SessionId session) {
    Chain chain;
    for (const TxnId txn : history_.session_txns(session)) {
      if (is_committed(txn)) {
        chain.txns.push_back(txn);
      }
      if (!level_.sessions && !chain.txns.empty()) {
        chains_.push_back(std::exchange(chain, {}));
      }
    }
    if (chain.txns.empty()) {
      return kNone;
    }
    chains_.push_back(std::move(chain));
    return static_cast<Index>(chains_.size() - 1);
  }

  /// Adds the edges. A circle through the chains of a key connects them as well as all pairs would.
  void connect() {
    std::vector<Index> first(history_.key_count(), kNone);
    std::vector<Index> last(history_.key_count(), kNone);
    edge_of_key_.assign(history_.key_count(), kNone);
    for (Index c = 0; c < chains_.size(); ++c) {
      for (const TxnId txn : chains_[c].txns) {
        for (const Access& access : demands_.accesses(txn)) {
          const std::size_t k = access.key.index();
          if (last[k] != c && last[k] != kNone) {
            edge_of_key_[k] = static_cast<Index>(edges_.size());
            edges_.emplace_back(last[k], c);
          }
          first[k] = first[k] == kNone ? c : first[k];
          last[k] = c;
        }
      }
      if (chains_[c].after_chain != kNone) {
        edges_.emplace_back(chains_[c].after_chain, c);
      }
    }
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (first[k] != last[k]) {
        edges_.emplace_back(first[k], last[k]);
      }
    }
  }

  void group() {
    const auto chain_count = static_cast<Index>(chains_.size());
    const BiconnectedComponents blocks = biconnected_components(chain_count, edges_);
    DisjointSets groups(blocks.count + chain_count);  // chains that share no key stay apart
    const auto apart = [&](Index chain) { return blocks.count + chain; };
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      for (const Index end : {edges_[e].first, edges_[e].second}) {
        if (chains_[end].is_optional) {
          groups.unite(blocks.of_edge[e], apart(end));
        }
      }
    }
    for (Index g = 1; g < blocks.count + chain_count && level_.real_time; ++g) {
      groups.unite(g, 0);
    }
    group_of_key_.assign(history_.key_count(), kNone);
    for (Index c = 0; c < chain_count; ++c) {
      const Index own = groups.find(apart(c));
      group_of_chain_.push_back(own);
      if (chains_[c].after_chain != kNone) {
        waits_.insert({{chains_[c].after_chain, chains_[c].after_count}, own});
      }
      for (const TxnId txn : chains_[c].txns) {
        for (const Access& access : demands_.accesses(txn)) {
          const Index edge = edge_of_key_[access.key.index()];
          group_of_key_[access.key.index()] =
              edge == kNone ? own : groups.find(blocks.of_edge[edge]);
        }
      }
    }
  }

  /// Puts the chain's transactions into the components of their keys. Those that an optional
  /// transaction must wait for also go into its component.
  void place(Index chain) {
    const Chain& from = chains_[chain];
    for (Index i = 0; i < from.txns.size(); ++i) {
      const TxnId txn = from.txns[i];
      for (const Access& access : demands_.accesses(txn)) {
        const Index component = component_of(group_of_key_[access.key.index()]);
        ++task_in(component, chain, txn).access_count;
        components_[component].accesses.push_back(access);
      }
      if (level_.real_time) {
        task_in(component_of(group_of_chain_[chain]), chain, txn);
      }
      for (auto [wait, end] = waits_.equal_range({chain, i + 1}); wait != end; ++wait) {
        const Index component = component_of(wait->second);
        task_in(component, chain, txn);
        const std::vector<Index>& begin = components_[component].chain_begin;
        places_[{component, chain, i + 1}] = {components_[component].chain_count() - 1,
                                              begin.back() - begin[begin.size() - 2]};
      }
    }
    if (from.after_chain != kNone) {
      const Index component = component_of(group_of_chain_[chain]);
      Task& task = task_in(component, chain, from.txns.front());
      std::tie(task.after_chain, task.after_count) =
          places_.at({component, from.after_chain, from.after_count});
    }
  }

  Index component_of(Index group) {
    const auto [at, is_new] =
        component_of_.try_emplace(group, static_cast<Index>(components_.size()));
    if (is_new) {
      components_.emplace_back();
      last_chain_.push_back(kNone);
    }
    return at->second;
  }

  /// The transaction's task in the component: the last task there, or a new one.
  Task& task_in(Index component, Index chain, TxnId txn) {
    SearchComponent& to = components_[component];
    if (last_chain_[component] != chain) {
      last_chain_[component] = chain;
      to.chain_begin.push_back(to.chain_begin.back());
    } else if (to.tasks.back().txn == txn) {
      return to.tasks.back();
    }
    ++to.chain_begin.back();
    return to.tasks.emplace_back(Task{.txn = txn,
                                      .is_optional = chains_[chain].is_optional,
                                      .access_begin = static_cast<Index>(to.accesses.size())});
  }

  const Demands& demands_;
  const History& history_;
  OrderLevel level_;
  std::vector<Chain> chains_;
  std::vector<Chain> optional_;
  std::vector<UndirectedEdge> edges_;
  std::vector<Index> edge_of_key_;  // one of the key's edges
  std::vector<Index> group_of_key_;
  std::vector<Index> group_of_chain_;                    // for keys that only this chain touches
  std::multimap<std::pair<Index, Index>, Index> waits_;  // (chain, count) -> waiting group
  std::map<std::tuple<Index, Index, Index>, std::pair<Index, Index>> places_;
  std::unordered_map<Index, Index> component_of_;  // by group
  std::vector<SearchComponent> components_;
  std::vector<Index> last_chain_;  // by component
};

}  // namespace

std::vector<SearchComponent> divide(const Demands& demands, OrderLevel level) {
  return Division(demands, level).run();
}

}  // namespace elapid::search
