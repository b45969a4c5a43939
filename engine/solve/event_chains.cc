#include "engine/solve/event_chains.h"

#include <utility>
#include <vector>

namespace elapid {

namespace {

class SessionChains {
 public:
  SessionChains(const OrderProblem& problem, const OrderGraph& graph)
      : problem_(problem), graph_(graph) {
    chains_.chain.assign(graph.vertex_count(), Chains::kNone);
    chains_.position.assign(graph.vertex_count(), 0);
  }

  Chains assign() {
    const History& history = problem_.history();
    for (std::uint32_t s = 0; s < history.session_count(); ++s) {
      Chain session;
      for (const TxnId txn : history.session_txns({s})) {
        if (problem_.presence(txn.value) == Presence::kAbsent) {
          continue;
        }
        // What follows an indeterminate transaction in its session does not follow it in time.
        const bool is_last = txn == history.session_txns({s}).back();
        Chain alone;
        append(txn.value, history.committed(txn) || is_last ? session : alone);
      }
    }
    Chain timeline;
    for (std::uint32_t v = graph_.events().count(); graph_.is_instant(v); ++v) {
      append_vertex(v, timeline);
    }
    assign_lists();
    return std::move(chains_);
  }

 private:
  struct Chain {
    std::uint32_t id = Chains::kNone;
    std::uint32_t length = 0;
  };

  /// Makes a chain of each line's prefixes, and one of the vertices of their readers.
  void assign_lists() {
    const ListPlaces& lists = problem_.lists();
    Chain chain;
    for (std::uint32_t version = 0; version < lists.version_count(); ++version) {
      const bool is_next = version > 0 &&
                           lists.line_of_version(version) == lists.line_of_version(version - 1) &&
                           lists.is_unread(version) == lists.is_unread(version - 1);
      if (!is_next) {
        chain = {};
      }
      append_vertex(graph_.vertex_of_version(version), chain);
    }
  }

  void append(std::uint32_t txn, Chain& chain) {
    append_vertex(graph_.events().start(txn), chain);
    if (!graph_.events().is_merged(txn)) {
      append_vertex(graph_.events().commit(txn), chain);
    }
  }

  void append_vertex(std::uint32_t vertex, Chain& chain) {
    if (chain.id == Chains::kNone) {
      chain.id = chains_.count++;
    }
    chains_.chain[vertex] = chain.id;
    chains_.position[vertex] = chain.length++;
  }

  const OrderProblem& problem_;
  const OrderGraph& graph_;
  Chains chains_;
};

bool fits(const Chains& chains, std::size_t max_bytes) {
  return chains.count * 2 * sizeof(std::uint32_t) * chains.chain.size() <= max_bytes;
}

/// The order without the events of absent transactions.
std::vector<std::uint32_t> present_events(const OrderProblem& problem, const OrderGraph& graph,
                                          std::span<const std::uint32_t> order) {
  std::vector<std::uint32_t> present;
  for (const std::uint32_t v : order) {
    if (!graph.events().is_of_txn(v) ||
        problem.presence(graph.events().txn(v)) != Presence::kAbsent) {
      present.push_back(v);
    }
  }
  return present;
}

}  // namespace

std::optional<Chains> chains_of_events(const OrderProblem& problem, const OrderGraph& graph,
                                       std::span<const std::uint32_t> order,
                                       std::size_t max_bytes) {
  constexpr std::uint32_t kManySessions = 256;
  std::optional<Chains> chains;
  if (graph.has_sessions()) {
    chains = SessionChains(problem, graph).assign();
  }
  if (!chains || chains->count > kManySessions) {
    Chains cover = cover_with_chains(graph.successors(), present_events(problem, graph, order));
    if (!chains || cover.count < chains->count) {
      chains = std::move(cover);
    }
  }
  return fits(*chains, max_bytes) ? std::move(chains) : std::nullopt;
}

}  // namespace elapid
