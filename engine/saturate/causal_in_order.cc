#include "engine/saturate/causal_in_order.h"

#include <algorithm>
#include <functional>
#include <mutex>
#include <numeric>
#include <utility>

#include "engine/graph/scc.h"
#include "engine/ir/share_work.h"
#include "engine/saturate/axioms.h"
#include "engine/saturate/precedence.h"

namespace elapid {

namespace {

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
  /// What all parts of an order have in common.
  struct Order {
    Order(const Observations& seen, bool has_sessions, std::span<const std::uint32_t> order)
        : txns(order),
          session_before(has_sessions ? seen.session_predecessors()
                                      : std::vector<std::uint32_t>(seen.txn_count(), Seen::kNoTxn)),
          place(seen.txn_count(), Seen::kNoTxn) {
      for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
      }
    }

    std::span<const std::uint32_t> txns;
    std::vector<std::uint32_t> session_before;  // by transaction
    std::vector<std::uint32_t> place;           // by transaction
  };

  /// Takes no more than `most_steps` steps.
  CausalAgainst(const Observations& seen, const Order& order, std::uint64_t most_steps)
      : seen_(seen),
        order_(order),
        most_steps_(most_steps),
        last_write_(seen.history().key_count(), Seen::kNoTxn),
        reached_by_(seen.txn_count(), Seen::kNoTxn) {}

  /// The most that one takes.
  [[nodiscard]] static std::size_t bytes(const Observations& seen) {
    return sizeof(std::uint32_t) * (seen.history().key_count() + seen.txn_count()) +
           sizeof(Write) * seen.write_count();
  }

  /// The edges to readers in a range. Nothing if it was told to stop, or out of steps.
  std::optional<ForcedEdges> run(IndexRange readers, const std::function<bool()>& keep_going) {
    std::size_t writes = 0;
    for (const std::uint32_t txn : order_.txns.first(readers.end)) {
      writes += seen_.written(txn).size();
    }
    writes_.reserve(writes);
    for (const std::uint32_t txn : order_.txns.first(readers.begin)) {
      add_writes(txn);
    }
    for (const std::uint32_t txn :
         order_.txns.subspan(readers.begin, readers.end - readers.begin)) {
      if (++visited_ % kTxnsBetweenQuestions == 0 && !keep_going()) {
        return std::nullopt;
      }
      find_suspects(txn);
      if (!suspects_.empty()) {
        search_backwards(txn);
      }
      if (is_out_of_steps()) {
        return std::nullopt;
      }
      add_writes(txn);
    }
    return std::move(forced_);
  }

  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  static constexpr std::uint32_t kTxnsBetweenQuestions = 4096;

  /// A write of a key; `before` is the place of the key's previous write.
  struct Write {
    std::uint32_t txn = 0;
    std::uint32_t before = Seen::kNoTxn;
  };

  [[nodiscard]] bool is_out_of_steps() const { return steps_ > most_steps_; }

  void add_writes(std::uint32_t txn) {
    for (const KeyId key : seen_.written(txn)) {
      writes_.push_back({txn, last_write_[key.index()]});
      last_write_[key.index()] = static_cast<std::uint32_t>(writes_.size() - 1);
    }
  }

  /// The writers that must not be visible to the reader, unless they come before the writers that
  /// it saw.
  void find_suspects(std::uint32_t reader) {
    suspects_.clear();
    for (const Seen& read : seen_.reads(reader)) {
      for (std::uint32_t at = last_write_[read.key.index()];
           at != Seen::kNoTxn && writes_[at].txn != read.writer && !is_out_of_steps();
           at = writes_[at].before) {
        suspects_.push_back({writes_[at].txn, read.writer});
        ++steps_;
      }
    }
  }

  /// Marks the transactions that lead to the reader, back to the first suspect in the order.
  void search_backwards(std::uint32_t reader) {
    std::uint32_t first = Seen::kNoTxn;
    for (const ForcedEdge& suspect : suspects_) {
      first = std::min(first, order_.place[suspect.before]);
    }
    pending_.assign(1, reader);
    while (!pending_.empty() && !is_out_of_steps()) {
      const std::uint32_t txn = pending_.back();
      pending_.pop_back();
      visit(order_.session_before[txn], reader, first);
      for (const Seen& read : seen_.reads(txn)) {
        visit(read.is_of_txn() ? read.writer : Seen::kNoTxn, reader, first);
      }
    }
    for (const ForcedEdge& suspect : suspects_) {
      if (reached_by_[suspect.before] == reader) {
        forced_.push_back(suspect);
      }
    }
  }

  void visit(std::uint32_t source, std::uint32_t reader, std::uint32_t first) {
    if (source == Seen::kNoTxn || order_.place[source] < first || reached_by_[source] == reader) {
      return;
    }
    reached_by_[source] = reader;
    pending_.push_back(source);
    ++steps_;
  }

  const Observations& seen_;
  const Order& order_;
  std::uint64_t most_steps_;
  std::uint64_t steps_ = 0;
  std::uint32_t visited_ = 0;              // transactions
  std::vector<Write> writes_;              // so far
  std::vector<std::uint32_t> last_write_;  // by key, a place in writes_
  std::vector<ForcedEdge> suspects_;       // of the current reader
  std::vector<std::uint32_t> reached_by_;  // by transaction: the last reader that it leads to
  std::vector<std::uint32_t> pending_;
  ForcedEdges forced_;
};

/// As CausalAgainst::run(), for all readers. WorkThreads share them.
std::optional<ForcedEdges> edges_against(const Observations& seen, bool has_sessions,
                                         std::span<const std::uint32_t> txns, std::uint64_t steps,
                                         const std::function<bool()>& keep_going) {
  constexpr double kPriceOfWrites = 0.2;  // of the whole search
  const CausalAgainst::Order order(seen, has_sessions, txns);
  std::mutex asking;
  const auto ask = [&] {
    const std::scoped_lock lock(asking);
    return !keep_going || keep_going();
  };
  const std::vector<IndexRange> ranges =
      ranges_to_catch_up(txns.size(), kPriceOfWrites, CausalAgainst::bytes(seen));
  std::vector<std::optional<ForcedEdges>> found(ranges.size());
  std::vector<std::uint64_t> taken(ranges.size());
  share_work(ranges.size(), [&](std::size_t i) {
    CausalAgainst search(seen, order, steps);
    found[i] = search.run(ranges[i], ask);
    taken[i] = search.steps();
  });
  std::uint64_t all_taken = 0;
  ForcedEdges all;
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    all_taken += taken[i];
    if (!found[i] || all_taken > steps) {
      return std::nullopt;
    }
    all.insert(all.end(), found[i]->begin(), found[i]->end());
  }
  return all;
}

/// Whether all predecessors have lower numbers. WorkThreads share the work.
bool is_numbered_in_order(const Precedence& graph) {
  const std::vector<IndexRange> ranges = ranges_of_work(graph.vertex_count());
  std::vector<char> are_in_order(ranges.size());
  share_work(ranges.size(), [&](std::size_t i) {
    bool is_in_order = true;
    for (std::uint32_t v = ranges[i].begin; v < ranges[i].end && is_in_order; ++v) {
      std::uint32_t cursor = 0;
      std::uint32_t before = 0;
      while (is_in_order && graph.next(v, cursor, before)) {
        is_in_order = before < v;
      }
    }
    are_in_order[i] = is_in_order ? 1 : 0;
  });
  return std::ranges::all_of(are_in_order, std::identity());
}

/// What strong_components() finds. It need not search if the vertices are numbered in order.
Components components_of(const Precedence& graph) {
  if (!is_numbered_in_order(graph)) {
    return strong_components(graph.vertex_count(), graph);
  }
  Components single = {.of = std::vector<std::uint32_t>(graph.vertex_count()),
                       .count = graph.vertex_count()};
  std::iota(single.of.begin(), single.of.end(), 0U);
  return single;
}

}  // namespace

std::optional<std::vector<std::uint32_t>> find_causal_order(
    const Observations& seen, OrderLevel level, const std::function<bool()>& keep_going) {
  constexpr int kAttempts = 8;
  constexpr std::uint64_t kStepsAnOperation = 16;
  const std::uint64_t steps = kStepsAnOperation * seen.history().op_count();
  level.visibility = Visibility::kCausal;
  Precedence graph(seen, level);
  for (int i = 0; i < kAttempts; ++i) {
    const Components components = components_of(graph);
    if (components.count < graph.vertex_count()) {
      return std::nullopt;
    }
    std::vector<std::uint32_t> order = present_in_order(seen, components);
    const auto against = edges_against(seen, level.sessions, order, steps, keep_going);
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
