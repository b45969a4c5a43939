#include "engine/search/search.h"

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/levels/timeless.h"
#include "engine/search/antichain_search.h"
#include "engine/search/communication_graph.h"
#include "engine/search/demands.h"
#include "engine/search/key_store.h"
#include "engine/search/witness_joiner.h"

namespace elapid {

namespace search {

namespace {

/// How many sessions the transactions are of.
std::uint32_t count_sessions(const History& history, std::span<const TxnId> txns) {
  std::unordered_set<SessionId> sessions;
  for (const TxnId txn : txns) {
    sessions.insert(history.session(txn));
  }
  return static_cast<std::uint32_t>(sessions.size());
}

/// One level of one history.
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

  /// A committed transaction that cannot come after the recorded initial one, or that one itself if
  /// it reads what is not there at first; none() if there is none such.
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
        result_.unknown_because =
            "without session order, " + std::to_string(component.chain_count()) +
            " transactions that have to do with one another are too many for a search (" +
            std::to_string(kMaxSearchWidth) + " are not)";
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
          (result_.is_full ? "as many states as can be remembered were visited: "
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

/// Moves that are looked at to find out whether a stronger level holds: a second or so.
constexpr std::uint64_t kQuickWork = 10'000'000;

/// Searches one level with a part of the work that is left.
SearchResult search_level(const Demands& demands, const SearchOptions& options,
                          std::uint64_t work) {
  SearchBudget budget = {work, options.states, options.keep_going};
  return Search(demands, options, budget).run();
}

/// The same order with a start before each commit.
void add_starts(Witness& witness) {
  std::vector<OrderEvent> order;
  for (const OrderEvent event : witness.order) {
    order.insert(order.end(), {{event.txn, false}, event});
  }
  witness.order = std::move(order);
}

/// Most databases do more than a level demands, and where transactions have one event or session
/// order counts there is less to search: so these levels are tried first, since what holds there
/// holds.
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
