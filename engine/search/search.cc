#include "engine/search/search.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/graph/adjacency.h"
#include "engine/levels/timeless.h"
#include "engine/search/antichain_search.h"
#include "engine/search/communication_graph.h"
#include "engine/search/demands.h"
#include "engine/search/key_store.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

namespace search {

namespace {

// Joins the orders of several components to one order of all transactions.

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
      takes_part_[initial.index()] = false;  // its place is already fixed
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

  /// Names the writers of ambiguous reads of registers: carries the order out and notes the last
  /// writer.
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

/// An order that contains the orders of the components and, if the level has it, session order. If
/// several transactions wrote a value, the witness names the writer that each read sees. A recorded
/// initial transaction comes first. Linear.
Witness join_orders(const Demands& demands, OrderLevel level,
                    std::span<const std::vector<OrderEvent>> orders) {
  Joiner joiner(demands, level);
  for (const std::vector<OrderEvent>& order : orders) {
    joiner.add(order);
  }
  return joiner.join();
}

/// The number of the transactions' sessions.
std::uint32_t count_sessions(const History& history, std::span<const TxnId> txns) {
  std::unordered_set<SessionId> sessions;
  for (const TxnId txn : txns) {
    sessions.insert(history.session(txn));
  }
  return static_cast<std::uint32_t>(sessions.size());
}

/// Searches one level of one history.
class Search {
 public:
  Search(const Demands& demands, const SearchOptions& options, SearchBudget& budget)
      : demands_(demands), history_(demands.history()), options_(options), budget_(budget) {}

  SearchResult run() {
    if (!demands_.unservable().empty()) {
      fail({demands_.unservable().front()}, 0);
    } else if (const TxnId early = first_before_initial(); !early.is_none()) {
      fail({early, history_.info().initial_txn}, 0);
    } else {
      search_components();
    }
    return std::move(result_);
  }

 private:
  void fail(std::vector<TxnId> txns, std::uint64_t states) {
    std::ranges::sort(txns);
    result_.validity = Validity::kInvalid;
    const std::uint32_t sessions = count_sessions(history_, txns);
    result_.failure = ExhaustedSearch{std::move(txns), sessions, states};
  }

  /// A committed transaction that cannot come after the recorded initial one; or the initial one
  /// itself, if it reads a value that is not initial. none() if there is none.
  [[nodiscard]] TxnId first_before_initial() const {
    const TxnId initial = history_.info().initial_txn;
    if (initial.is_none() || !history_.committed(initial)) {
      return TxnId::none();
    }
    const bool reads_first =
        std::ranges::all_of(demands_.accesses(initial), [this](const Access& access) {
          return !access.reads() || demands_.accepts(access.want, Versions::root(access.key));
        });
    if (!reads_first) {
      return initial;
    }
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const bool is_earlier_in_session = options_.level.sessions && txn < initial &&
                                         history_.session(txn) == history_.session(initial);
      const bool is_earlier_in_time = options_.level.real_time &&
                                      history_.has_invocation(initial) &&
                                      history_.completion_id(txn) < history_.invocation_id(initial);
      if (history_.committed(txn) && txn != initial &&
          (is_earlier_in_session || is_earlier_in_time)) {
        return txn;
      }
    }
    return TxnId::none();
  }

  void search_components() {
    const std::vector<SearchComponent> components = divide(demands_, options_.level);
    KeyStore store(demands_);
    std::vector<std::vector<OrderEvent>> orders;
    for (const SearchComponent& component : components) {
      if (!options_.level.sessions && component.chain_count() > kMaxSearchWidth) {
        result_.unknown_because = "without session order, " +
                                  std::to_string(component.chain_count()) +
                                  " connected transactions are too many for a search (at most " +
                                  std::to_string(kMaxSearchWidth) + ")";
        continue;
      }
      SearchOutcome found = search_antichains(demands_, options_.level, component, store, budget_);
      ++result_.components;
      result_.states += found.states;
      if (found.validity == Validity::kInvalid) {
        fail(transactions_of(component), found.states);
        return;
      }
      result_.is_out_of_budget |= found.validity == Validity::kUnknown;
      result_.is_full |= found.is_full;
      orders.push_back(std::move(found.order));
    }
    if (result_.is_out_of_budget) {
      result_.unknown_because =
          (result_.is_full ? "the search reached its limit of states: "
                           : "the budget was reached; states that were visited: ") +
          std::to_string(result_.states);
    } else if (result_.unknown_because.empty()) {
      result_.validity = Validity::kValid;
      result_.witness = join_orders(demands_, options_.level, orders);
    }
  }

  [[nodiscard]] static std::vector<TxnId> transactions_of(const SearchComponent& component) {
    std::vector<TxnId> txns;
    for (const Task& task : component.tasks) {
      txns.push_back(task.txn);
    }
    return txns;
  }

  const Demands& demands_;
  const History& history_;
  const SearchOptions& options_;
  SearchBudget& budget_;
  SearchResult result_;
};

/// The work on a stronger level, about a second.
constexpr std::uint64_t kQuickWork = 10'000'000;

/// Searches one level with a part of the work that is left.
SearchResult search_level(const Demands& demands, const SearchOptions& options,
                          std::uint64_t work) {
  SearchBudget budget = {work, options.states, options.keep_going};
  return Search(demands, options, budget).run();
}

/// Adds a start before each commit.
void add_starts(Witness& witness) {
  std::vector<OrderEvent> order;
  for (const OrderEvent event : witness.order) {
    order.insert(order.end(), {{event.txn, false}, event});
  }
  witness.order = std::move(order);
}

/// Tries stronger levels first: an order that is valid there is valid here. Most databases do more
/// than a level demands. With one event for each transaction, or with session order, the search is
/// smaller.
SearchResult search_stronger_first(const Demands& demands, const SearchOptions& options) {
  SearchOptions serial = options;
  serial.level.visibility = Visibility::kSerial;
  serial.level.sessions = true;
  const bool is_serial = options.level.visibility == Visibility::kSerial;
  if (!is_serial) {
    SearchResult result = search_level(demands, serial, std::min(kQuickWork, options.work / 4));
    if (result.validity == Validity::kValid) {
      add_starts(*result.witness);
      return result;
    }
  }
  if (!options.level.sessions) {
    SearchOptions sessions = options;
    sessions.level.sessions = true;
    SearchResult result = search_level(demands, sessions, options.work / 4);
    if (result.validity == Validity::kValid) {
      return result;
    }
  }
  return search_level(demands, options,
                      is_serial && options.level.sessions ? options.work : options.work / 2);
}

}  // namespace

}  // namespace search

SearchResult search_orders(const History& history, const SearchOptions& options) {
  const search::Demands demands(history);
  if (!demands.unclear().empty()) {
    return {.unknown_because = demands.unclear()};
  }
  return decide_in_time(history, options, [&](const SearchOptions& timed) {
    return search::search_stronger_first(demands, timed);
  });
}

}  // namespace elapid
