#include "engine/certify/orders/cycle_order.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/certify/operations/external_reads.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/orders/commit_order.h"
#include "engine/certify/patience.h"

namespace elapid {

namespace certify {

namespace {

/// Transactions are named by their places in the order.
class OrderedCycles {
 public:
  OrderedCycles(const History& history, CycleLevel level, const Witness& witness,
                Patience& patience)
      : history_(history), shape_(level.shape), witness_(witness), patience_(patience) {
    place_.assign(history.txn_count(), 0);
    for (std::uint32_t i = 0; i < size(); ++i) {
      place_[witness.order[i].txn.index()] = i;
    }
    collect_writes();
    collect_reads(level.reads);
  }

  Flaw check() {
    switch (shape_) {
      case CycleShape::kCursor:
        return check_each(&OrderedCycles::is_overtaken);
      case CycleShape::kPair:
        return check_each(&OrderedCycles::misses_a_neighbour);
      case CycleShape::kMonotonic:
      case CycleShape::kSingle:
        return check_each(&OrderedCycles::leads_back);
      case CycleShape::kSnapshots:
        return check_events();
      case CycleShape::kUpdates:
        return check_updates();
    }
    return "an unknown shape";
  }

 private:
  static constexpr std::uint32_t kInitial = std::numeric_limits<std::uint32_t>::max();

  struct Read {
    std::uint32_t reader = 0;
    std::uint32_t writer = kInitial;
    KeyId key;
    std::uint32_t mop = 0;
  };

  /// The last write of a key by a transaction.
  struct Write {
    KeyId key;
    std::uint32_t writer = 0;
    std::uint32_t mop = 0;
  };

  /// A read-from edge or one to the next version of a key.
  struct Edge {
    std::uint32_t to = 0;
    std::uint32_t mop = 0;  ///< where it ends
  };

  [[nodiscard]] std::uint32_t size() const {
    return static_cast<std::uint32_t>(witness_.order.size());
  }

  [[nodiscard]] std::span<const Op> ops(std::uint32_t t) const {
    return effective_ops(history_, witness_.order[t].txn);
  }

  [[nodiscard]] bool is_update(std::uint32_t t) const {
    return writes_something(history_, witness_.order[t].txn);
  }

  void collect_writes() {
    forward_.resize(size());
    for (std::uint32_t t = 0; t < size(); ++t) {
      each_key(ops(t), [&](std::span<const std::uint32_t> mops) {
        const auto last = std::ranges::find_if(
            mops.rbegin(), mops.rend(), [&](std::uint32_t i) { return ops(t)[i].is_write(); });
        if (last != mops.rend()) {
          writes_.push_back({ops(t)[*last].key(), t, *last});
        }
        return true;
      });
    }
    std::ranges::stable_sort(writes_, {}, &Write::key);
    for (std::size_t i = 1; i < writes_.size(); ++i) {
      if (writes_[i].key == writes_[i - 1].key) {
        forward_[writes_[i - 1].writer].push_back({writes_[i].writer, writes_[i].mop});
      }
    }
  }

  /// The claims are in the order of readers and their reads, as check_commit_order() has found.
  void collect_reads(OrderLevel level) {
    auto claim = witness_.reads.begin();
    while (claim != witness_.reads.end()) {
      const TxnId reader = claim->reader;
      const auto reads = external_reads(history_, reader, level);
      for (const KeyRead& read : *reads) {
        const std::uint32_t writer =
            claim->writer.is_none() ? kInitial : place_[claim->writer.index()];
        reads_.push_back({place_[reader.index()], writer, read.op.key(), read.mop});
        if (writer != kInitial) {
          forward_[writer].push_back({place_[reader.index()], read.mop});
        }
        ++claim;
      }
    }
  }

  /// The writes of a key behind the version that was read, the next one first.
  [[nodiscard]] std::span<const Write> later(const Read& read) const {
    const auto of_key = std::ranges::equal_range(writes_, read.key, {}, &Write::key);
    const auto begin = read.writer == kInitial
                           ? of_key.begin()
                           : std::ranges::upper_bound(of_key, read.writer, {}, &Write::writer);
    return {begin, of_key.end()};
  }

  /// The next writer of the key behind the version that was read; the reader if there is none.
  [[nodiscard]] std::uint32_t missed(const Read& read) const {
    const std::span<const Write> writes = later(read);
    return writes.empty() ? read.reader : writes.front().writer;
  }

  Flaw check_each(bool (OrderedCycles::*is_in_cycle)(const Read&)) {
    for (const Read& read : reads_) {
      if (!patience_.goes_on()) {
        return kToldToStop;
      }
      if ((this->*is_in_cycle)(read)) {
        return forbidden(read);
      }
    }
    return {};
  }

  [[nodiscard]] std::string forbidden(const Read& read) const {
    return "a read of key " + history_.shown_key(read.key) + " by " +
           txn_text(history_, witness_.order[read.reader].txn) + " is in a forbidden cycle";
  }

  /// Whether another writer comes between what was read and what the reader wrote to the key.
  bool is_overtaken(const Read& read) {
    return missed(read) < read.reader &&
           !final_value(history_, txn(read.reader), read.key).is_none();
  }

  [[nodiscard]] TxnId txn(std::uint32_t t) const { return witness_.order[t].txn; }

  /// Whether the reader read from or overwrote a writer that it missed.
  bool misses_a_neighbour(const Read& read) {
    for (const Write& write : later(read)) {
      if (write.writer >= read.reader) {
        break;
      }
      const bool has_read_from = std::ranges::any_of(
          forward_[write.writer], [&](const Edge& edge) { return edge.to == read.reader; });
      const bool has_overwritten = std::ranges::any_of(ops(write.writer), [&](Op op) {
        return op.is_write() && !final_value(history_, txn(read.reader), op.key()).is_none();
      });
      if (has_read_from || has_overwritten) {
        return true;
      }
    }
    return false;
  }

  /// Whether dependencies lead from the writer that was missed back to the reader, at monotonic
  /// view to an operation up to the read.
  bool leads_back(const Read& read) {
    return leads({missed(read)}, read.reader, [&](const Edge& edge) {
      return shape_ == CycleShape::kSingle || edge.mop <= read.mop;
    });
  }

  /// Whether edges lead from one of these transactions to `to`. Edges lead forward in the order.
  template <class Ends>
  bool leads(std::vector<std::uint32_t> pending, std::uint32_t to, Ends ends) {
    seen_in_.resize(size(), 0);
    ++round_;
    while (!pending.empty()) {
      const std::uint32_t t = pending.back();
      pending.pop_back();
      if (t >= to || std::exchange(seen_in_[t], round_) == round_) {
        continue;
      }
      for (const Edge& edge : forward_[t]) {
        if (edge.to == to && ends(edge)) {
          return true;
        }
        pending.push_back(edge.to);
      }
    }
    return false;
  }

  // Any number of anti-dependencies.

  using Graph = std::vector<std::vector<std::uint32_t>>;

  /// A topological order. It lacks the vertices on cycles and those behind them.
  [[nodiscard]] static std::vector<std::uint32_t> sorted(const Graph& graph) {
    std::vector<std::uint32_t> entering(graph.size(), 0);
    for (const auto& row : graph) {
      for (const std::uint32_t to : row) {
        ++entering[to];
      }
    }
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < graph.size(); ++v) {
      if (entering[v] == 0) {
        order.push_back(v);
      }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      for (const std::uint32_t to : graph[order[i]]) {
        if (--entering[to] == 0) {
          order.push_back(to);
        }
      }
    }
    return order;
  }

  /// Each operation is an event, and so is the commit behind them.
  Flaw check_events() {
    std::vector<std::uint32_t> begin = {0};
    for (std::uint32_t t = 0; t < size(); ++t) {
      begin.push_back(begin.back() + static_cast<std::uint32_t>(ops(t).size()) + 1);
    }
    Graph graph(begin.back());
    for (std::uint32_t t = 0; t < size(); ++t) {
      for (std::uint32_t event = begin[t]; event + 1 < begin[t + 1]; ++event) {
        graph[event].push_back(event + 1);
      }
      for (const Edge& edge : forward_[t]) {
        graph[begin[t + 1] - 1].push_back(begin[edge.to] + edge.mop);
      }
    }
    for (const Read& read : reads_) {
      if (const std::uint32_t writer = missed(read); writer != read.reader) {
        graph[begin[read.reader] + read.mop].push_back(begin[writer + 1] - 1);
      }
    }
    return sorted(graph).size() == graph.size()
               ? Flaw()
               : "the reads and commits depend on one another in a cycle";
  }

  Flaw check_updates() {
    Graph graph(size());
    for (std::uint32_t t = 0; t < size(); ++t) {
      for (const Edge& edge : forward_[t]) {
        if (is_update(edge.to)) {
          graph[t].push_back(edge.to);
        }
      }
    }
    std::vector<std::vector<std::uint32_t>> missed_by(size());
    for (const Read& read : reads_) {
      if (const std::uint32_t writer = missed(read); writer != read.reader) {
        (is_update(read.reader) ? graph : missed_by)[read.reader].push_back(writer);
      }
    }
    const std::vector<std::uint32_t> order = sorted(graph);
    return order.size() == graph.size() ? check_guests(graph, order, missed_by)
                                        : "update transactions depend on one another in a cycle";
  }

  /// Whether a transaction that only reads has read from one that comes after one that it missed.
  Flaw check_guests(const Graph& graph, std::span<const std::uint32_t> order,
                    const std::vector<std::vector<std::uint32_t>>& missed_by) {
    std::vector<std::uint32_t> rank(size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      rank[order[i]] = i;
    }
    std::vector<std::vector<std::uint32_t>> sources(size());
    for (const Read& read : reads_) {
      if (read.writer != kInitial && !is_update(read.reader)) {
        sources[read.reader].push_back(read.writer);
      }
    }
    for (std::uint32_t t = 0; t < size(); ++t) {
      if (!patience_.goes_on()) {
        return kToldToStop;
      }
      if (reaches(graph, rank, missed_by[t], sources[t])) {
        return txn_text(history_, txn(t)) + " is in a cycle with update transactions";
      }
    }
    return {};
  }

  bool reaches(const Graph& graph, std::span<const std::uint32_t> rank,
               std::vector<std::uint32_t> pending, std::span<const std::uint32_t> goals) {
    std::uint32_t last = 0;
    for (const std::uint32_t goal : goals) {
      last = std::max(last, rank[goal]);
    }
    seen_in_.resize(size(), 0);
    ++round_;
    while (!pending.empty() && !goals.empty()) {
      const std::uint32_t t = pending.back();
      pending.pop_back();
      if (rank[t] > last || std::exchange(seen_in_[t], round_) == round_) {
        continue;
      }
      if (std::ranges::find(goals, t) != goals.end()) {
        return true;
      }
      pending.insert(pending.end(), graph[t].begin(), graph[t].end());
    }
    return false;
  }

  const History& history_;
  CycleShape shape_;
  const Witness& witness_;
  Patience& patience_;
  std::vector<std::uint32_t> place_;  // by transaction
  std::vector<Write> writes_;         // by key, then in order
  std::vector<Read> reads_;
  std::vector<std::vector<Edge>> forward_;  // by place
  std::vector<std::uint32_t> seen_in_;      // by place: the round in which it was reached
  std::uint32_t round_ = 0;
};

}  // namespace

}  // namespace certify

std::optional<std::string> check_cycle_order(const History& history, CycleLevel level,
                                             const Witness& witness,
                                             const std::function<bool()>& keep_going) {
  if (certify::Flaw flaw = check_commit_order(history, level.reads, witness, keep_going)) {
    return flaw;
  }
  certify::Patience patience(keep_going);
  return certify::OrderedCycles(history, level, witness, patience).check();
}

}  // namespace elapid
