#include "engine/saturate/causal_in_order.h"

#include <algorithm>
#include <utility>

#include "engine/graph/scc.h"
#include "engine/saturate/axioms.h"
#include "engine/saturate/precedence.h"

namespace elapid {

namespace {

constexpr std::uint32_t kNone = Seen::kNoTxn;

/// Finds the edges of causal consistency (force_causal()) that an order disagrees with. If there
/// are none, it is a commit order. Read-from edges, and session order if it counts, must lead
/// forward.
///
/// In such an order everything visible to a read comes before the reader. So only writers of the
/// key between the one that the read saw and the reader matter. They are looked for backwards from
/// the reader. In an order close to that of the commits there are hardly any: near linear, however
/// many sessions there are.
class CausalAgainst {
 public:
  CausalAgainst(const Observations& seen, bool has_sessions, std::span<const std::uint32_t> order,
                std::uint64_t steps)
      : seen_(seen),
        order_(order),
        steps_(steps),
        session_before_(has_sessions ? seen.session_predecessors()
                                     : std::vector<std::uint32_t>(seen.txn_count(), kNone)),
        place_(seen.txn_count(), kNone),
        last_write_(seen.history().key_count(), kNone),
        reached_by_(seen.txn_count(), kNone) {
    writes_.reserve(seen.write_count());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      place_[order[i]] = i;
    }
  }

  /// Nothing if the search takes too many steps.
  std::optional<ForcedEdges> run(const std::function<bool()>& keep_going) {
    for (const std::uint32_t txn : order_) {
      if (++visited_ % kTxnsBetweenQuestions == 0 && keep_going && !keep_going()) {
        return std::nullopt;
      }
      find_suspects(txn);
      if (!suspects_.empty()) {
        search_backwards(txn);
      }
      if (is_out_of_steps_) {
        return std::nullopt;
      }
      for (const KeyId key : seen_.written(txn)) {
        writes_.push_back({txn, last_write_[key.index()]});
        last_write_[key.index()] = static_cast<std::uint32_t>(writes_.size() - 1);
      }
    }
    return std::move(forced_);
  }

 private:
  static constexpr std::uint32_t kTxnsBetweenQuestions = 4096;

  /// A write of a key; `before` is the place of the key's previous write.
  struct Write {
    std::uint32_t txn = 0;
    std::uint32_t before = kNone;
  };

  void step() {
    is_out_of_steps_ = steps_ == 0;
    steps_ -= is_out_of_steps_ ? 0 : 1;
  }

  /// The writers that must not be visible to the reader, unless they come before the writers that
  /// it saw.
  void find_suspects(std::uint32_t reader) {
    suspects_.clear();
    for (const Seen& read : seen_.reads(reader)) {
      for (std::uint32_t at = last_write_[read.key.index()];
           at != kNone && writes_[at].txn != read.writer && !is_out_of_steps_;
           at = writes_[at].before) {
        suspects_.push_back({writes_[at].txn, read.writer});
        step();
      }
    }
  }

  /// Marks the transactions that lead to the reader, back to the first suspect in the order.
  void search_backwards(std::uint32_t reader) {
    std::uint32_t first = kNone;
    for (const ForcedEdge& suspect : suspects_) {
      first = std::min(first, place_[suspect.before]);
    }
    pending_.assign(1, reader);
    while (!pending_.empty() && !is_out_of_steps_) {
      const std::uint32_t txn = pending_.back();
      pending_.pop_back();
      visit(session_before_[txn], reader, first);
      for (const Seen& read : seen_.reads(txn)) {
        visit(read.is_of_txn() ? read.writer : kNone, reader, first);
      }
    }
    for (const ForcedEdge& suspect : suspects_) {
      if (reached_by_[suspect.before] == reader) {
        forced_.push_back(suspect);
      }
    }
  }

  void visit(std::uint32_t source, std::uint32_t reader, std::uint32_t first) {
    if (source == kNone || place_[source] < first || reached_by_[source] == reader) {
      return;
    }
    reached_by_[source] = reader;
    pending_.push_back(source);
    step();
  }

  const Observations& seen_;
  std::span<const std::uint32_t> order_;
  std::uint64_t steps_;
  bool is_out_of_steps_ = false;
  std::uint32_t visited_ = 0;                  // transactions
  std::vector<std::uint32_t> session_before_;  // by transaction
  std::vector<std::uint32_t> place_;           // by transaction
  std::vector<Write> writes_;                  // so far
  std::vector<std::uint32_t> last_write_;      // by key, a place in writes_
  std::vector<ForcedEdge> suspects_;           // of the current reader
  std::vector<std::uint32_t> reached_by_;      // by transaction: the last reader that it leads to
  std::vector<std::uint32_t> pending_;
  ForcedEdges forced_;
};

}  // namespace

std::optional<std::vector<std::uint32_t>> find_causal_order(
    const Observations& seen, OrderLevel level, const std::function<bool()>& keep_going) {
  constexpr int kAttempts = 8;
  constexpr std::uint64_t kStepsAnOperation = 16;
  const std::uint64_t steps = kStepsAnOperation * seen.history().op_count();
  level.visibility = Visibility::kCausal;
  Precedence graph(seen, level);
  for (int i = 0; i < kAttempts; ++i) {
    const Components components = strong_components(graph.vertex_count(), graph);
    if (components.count < graph.vertex_count()) {
      return std::nullopt;
    }
    std::vector<std::uint32_t> order = present_in_order(seen, components);
    const auto against = CausalAgainst(seen, level.sessions, order, steps).run(keep_going);
    if (!against || std::ranges::count(*against, Seen::kInitial, &ForcedEdge::after) > 0) {
      return std::nullopt;
    }
    if (against->empty()) {
      return order;
    }
    graph.force(*against, graph.vertex_count());
  }
  return std::nullopt;
}

}  // namespace elapid
