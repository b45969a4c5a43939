#include "engine/certify/orders/causal_writes.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/certify/operations/participants.h"
#include "engine/ir/growing_vector.h"
#include "engine/ir/share_work.h"

namespace elapid::certify {

namespace {

/// The last committed transaction before each in its session.
std::vector<TxnId> previous_in_session(const History& history) {
  std::vector<TxnId> previous(history.txn_count());
  std::vector<TxnId> last(history.session_count());
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    TxnId& of_session = last[history.session(txn).index()];
    previous[txn.index()] = of_session;
    of_session = history.committed(txn) ? txn : of_session;
  }
  return previous;
}

/// Searches backwards in the order for suspects that lead to a reader. Goes no further than the
/// first suspect.
class BackwardSearch {
 public:
  BackwardSearch(const History& history, std::span<const TxnId> previous,
                 const CommitPlaces& places, const SeenWrites& seen)
      : history_(history),
        previous_(previous),
        places_(places),
        seen_(seen),
        last_write_(history.key_count(), kNone),
        leads_to_(history.txn_count()) {}

  /// Whether no writer is found that a read of these should have seen. Ends in false after more
  /// than `most_steps` steps.
  bool finds_nothing(IndexRange readers, std::uint64_t most_steps) {
    const std::span<const OrderEvent> order = places_.order();
    for (const OrderEvent event : order.first(readers.begin)) {
      add_writes(event.txn);
    }
    for (const OrderEvent event : order.subspan(readers.begin, readers.end - readers.begin)) {
      find_suspects(event.txn, most_steps);  // all that leads to it comes earlier
      const bool is_found = !suspects_.empty() && search(event.txn, most_steps);
      if (is_found || steps_ > most_steps) {
        return false;
      }
      add_writes(event.txn);
    }
    return true;
  }

  /// How many it has taken.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

  /// The most that one takes, where all operations are writes.
  [[nodiscard]] static std::size_t bytes(const History& history) {
    return sizeof(std::uint32_t) * history.key_count() + sizeof(TxnId) * history.txn_count() +
           sizeof(Write) * history.op_count();
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  /// In the order, and the place of the one before that wrote the key.
  struct Write {
    TxnId txn;
    std::uint32_t before = kNone;
  };

  /// Writers that come after those that the reader saw, and must not be visible.
  void find_suspects(TxnId reader, std::uint64_t limit) {
    suspects_.clear();
    for (const ReadFrom& read : seen_.of(reader)) {
      std::uint32_t at = last_write_[read.key.index()];
      for (; at != kNone && writes_[at].txn != read.writer && steps_ <= limit; ++steps_) {
        suspects_.push_back(writes_[at].txn);
        at = writes_[at].before;
      }
    }
  }

  /// Whether some suspect leads to the reader.
  bool search(TxnId reader, std::uint64_t limit) {
    std::uint32_t first = kNone;
    for (const TxnId suspect : suspects_) {
      first = std::min(first, places_.of(suspect));
    }
    const auto visit = [&](TxnId source) {
      if (!source.is_none() && places_.of(source) >= first && leads_to_[source.index()] != reader) {
        leads_to_[source.index()] = reader;
        pending_.push_back(source);
        ++steps_;
      }
    };
    pending_.assign(1, reader);
    while (!pending_.empty() && steps_ <= limit) {
      const TxnId txn = pending_.back();
      pending_.pop_back();
      visit(previous_[txn.index()]);
      for (const ReadFrom& read : seen_.of(txn)) {
        visit(read.writer);
      }
    }
    return std::ranges::any_of(suspects_,
                               [&](TxnId suspect) { return leads_to_[suspect.index()] == reader; });
  }

  void add_writes(TxnId txn) {
    for (const Op op : effective_ops(history_, txn)) {
      if (op.is_write()) {
        std::uint32_t& last = last_write_[op.key().index()];
        writes_.push_back({txn, last});
        last = static_cast<std::uint32_t>(writes_.size() - 1);
      }
    }
  }

  const History& history_;
  std::span<const TxnId> previous_;
  const CommitPlaces& places_;
  const SeenWrites& seen_;
  std::uint64_t steps_ = 0;
  GrowingVector<Write> writes_;            // so far
  std::vector<std::uint32_t> last_write_;  // by key, a place in writes_
  std::vector<TxnId> suspects_;            // of the current reader
  std::vector<TxnId> leads_to_;            // by transaction: the last reader that it leads to
  std::vector<TxnId> pending_;
};

/// Pasts as vector clocks, some chains at a time. A chain is a session's committed transactions, or
/// one indeterminate transaction. Without sessions, it is a sequence in which each transaction read
/// from the one before.
class CausalClocks {
 public:
  CausalClocks(const History& history, bool has_sessions, std::span<const TxnId> previous,
               const CommitPlaces& places, const SeenWrites& seen, Patience& patience)
      : history_(history),
        patience_(patience),
        has_sessions_(has_sessions),
        previous_(previous),
        places_(places),
        seen_(seen) {}

  Flaw check() {
    const std::vector<std::vector<TxnId>> chains =
        has_sessions_ ? chains_of_sessions() : chains_of_reads();
    for (std::size_t first = 0; first < chains.size(); first += kBlock) {
      const auto block =
          std::span(chains).subspan(first, std::min<std::size_t>(kBlock, chains.size() - first));
      find_pasts(block);
      for (const std::vector<TxnId>& readers : chains) {
        if (Flaw flaw = check_chain(readers)) {
          return flaw;
        }
      }
    }
    return {};
  }

 private:
  static constexpr std::uint32_t kBlock = 16;
  static constexpr std::uint32_t kNoChain = std::numeric_limits<std::uint32_t>::max();
  using Clock = std::array<std::uint32_t, kBlock>;  // members of each chain that are in the past

  struct ChainWrite {
    KeyId key;
    std::uint32_t column = 0;
    std::uint32_t rank = 0;  // in its chain, from 1
    std::uint32_t place = 0;
  };

  /// The writes of one key in one chain, as far as they are in the past of the current reader.
  struct PastWrites {
    std::uint32_t next = 0;  // the first that is not
    std::uint32_t end = 0;
  };

  [[nodiscard]] std::vector<std::vector<TxnId>> chains_of_sessions() const {
    std::vector<std::vector<TxnId>> chains;
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      std::vector<TxnId> committed;
      for (const TxnId txn : history_.session_txns({s})) {
        if (history_.committed(txn)) {
          committed.push_back(txn);
        } else if (places_.has(txn)) {
          chains.push_back({txn});
        }
      }
      chains.push_back(std::move(committed));
    }
    return chains;
  }

  [[nodiscard]] std::vector<std::vector<TxnId>> chains_of_reads() const {
    std::vector<std::vector<TxnId>> chains;
    std::vector<std::uint32_t> ends_at(history_.txn_count(), kNoChain);
    for (const OrderEvent event : places_.order()) {
      std::uint32_t chain = kNoChain;
      for (const ReadFrom& read : seen_.of(event.txn)) {
        if (chain == kNoChain && !read.writer.is_none()) {
          chain = std::exchange(ends_at[read.writer.index()], kNoChain);
        }
      }
      if (chain == kNoChain) {
        chain = static_cast<std::uint32_t>(chains.size());
        chains.emplace_back();
      }
      chains[chain].push_back(event.txn);
      ends_at[event.txn.index()] = chain;
    }
    return chains;
  }

  /// Finds the past of each transaction, without itself, and the writes of the block.
  void find_pasts(std::span<const std::vector<TxnId>> chains) {
    constexpr std::uint32_t kElsewhere = kBlock;
    std::vector<std::uint32_t> column(history_.txn_count(), kElsewhere);
    std::vector<std::uint32_t> rank(history_.txn_count(), 0);
    writes_.clear();
    for (std::uint32_t c = 0; c < chains.size(); ++c) {
      for (std::uint32_t i = 0; i < chains[c].size(); ++i) {
        const TxnId txn = chains[c][i];
        column[txn.index()] = c;
        rank[txn.index()] = i + 1;
        for (const Op op : effective_ops(history_, txn)) {
          if (op.is_write()) {
            writes_.push_back({op.key(), c, i + 1, places_.of(txn)});
          }
        }
      }
    }
    index_writes();
    pasts_.resize(history_.txn_count());
    const auto join = [&](Clock& past, TxnId source) {
      if (source.is_none()) {
        return;
      }
      for (std::size_t i = 0; i < kBlock; ++i) {
        past[i] = std::max(past[i], pasts_[source.index()][i]);
      }
      if (column[source.index()] != kElsewhere) {
        past[column[source.index()]] = std::max(past[column[source.index()]], rank[source.index()]);
      }
    };
    for (const OrderEvent event : places_.order()) {  // all that leads to it comes earlier
      if (!patience_.goes_on()) {
        return;  // check_chain() stops as well
      }
      Clock past = {};
      join(past, previous_[event.txn.index()]);
      for (const ReadFrom& read : seen_.of(event.txn)) {
        join(past, read.writer);
      }
      pasts_[event.txn.index()] = past;
    }
  }

  /// Groups the writes by key; chain by chain, each in its order, within a key.
  void index_writes() {
    write_begin_.assign(history_.key_count() + 1, 0);
    for (const ChainWrite& write : writes_) {
      ++write_begin_[write.key.index() + 1];
    }
    for (std::size_t key = 0; key < history_.key_count(); ++key) {
      write_begin_[key + 1] += write_begin_[key];
    }
    std::vector<ChainWrite> grouped(writes_.size());
    std::vector<std::uint32_t> next(write_begin_.begin(), write_begin_.end() - 1);
    for (const ChainWrite& write : writes_) {
      grouped[next[write.key.index()]++] = write;
    }
    writes_ = std::move(grouped);
    first_groups_.clear();
    group_begin_.assign(1, 0);
    for (std::size_t key = 0; key < history_.key_count(); ++key) {
      for (std::uint32_t i = write_begin_[key]; i < write_begin_[key + 1]; ++i) {
        if (i == write_begin_[key] || writes_[i].column != writes_[i - 1].column) {
          first_groups_.push_back({i, i});
        }
        ++first_groups_.back().end;
      }
      group_begin_.push_back(static_cast<std::uint32_t>(first_groups_.size()));
    }
  }

  /// Only the last writer of each chain in the past counts, since it comes last in the order, too.
  /// Pasts grow along the readers' chain.
  Flaw check_chain(std::span<const TxnId> readers) {
    std::vector<PastWrites> groups = first_groups_;
    for (const TxnId reader : readers) {
      if (!patience_.goes_on()) {
        return kToldToStop;
      }
      const Clock& past = pasts_[reader.index()];
      for (const ReadFrom& read : seen_.of(reader)) {
        std::uint32_t last = 0;
        for (std::uint32_t g = group_begin_[read.key.index()];
             g < group_begin_[read.key.index() + 1]; ++g) {
          PastWrites& group = groups[g];
          while (group.next < group.end &&
                 writes_[group.next].rank <= past[writes_[group.next].column]) {
            ++group.next;
          }
          if (group.next > first_groups_[g].next) {
            last = std::max(last, writes_[group.next - 1].place + 1);
          }
        }
        if (Flaw flaw = compare_with_visible(history_, places_, reader, read, last)) {
          return flaw;
        }
      }
    }
    return {};
  }

  const History& history_;
  Patience& patience_;
  bool has_sessions_;
  std::span<const TxnId> previous_;
  const CommitPlaces& places_;
  const SeenWrites& seen_;
  std::vector<Clock> pasts_;
  std::vector<ChainWrite> writes_;          // of the chains at hand, by key
  std::vector<std::uint32_t> write_begin_;  // by key
  std::vector<PastWrites> first_groups_;    // by key and chain, nothing in the past
  std::vector<std::uint32_t> group_begin_;  // by key
};

}  // namespace

bool is_plainly_causal(const History& history, bool has_sessions, const CommitPlaces& places,
                       const SeenWrites& seen) {
  if (has_sessions && !places.keeps_sessions(history)) {
    return false;
  }
  const std::vector<TxnId> previous =
      has_sessions ? previous_in_session(history) : std::vector<TxnId>(history.txn_count());
  constexpr double kPriceOfWrites = 0.3;  // of the whole search
  constexpr std::uint64_t kStepsAnOperation = 16;
  const std::uint64_t most_steps = kStepsAnOperation * history.op_count();
  const std::vector<IndexRange> ranges =
      ranges_to_catch_up(places.order().size(), kPriceOfWrites, BackwardSearch::bytes(history));
  std::vector<char> is_plain(ranges.size());
  std::vector<std::uint64_t> taken(ranges.size());
  share_work(ranges.size(), [&](std::size_t i) {
    BackwardSearch search(history, previous, places, seen);
    is_plain[i] = search.finds_nothing(ranges[i], most_steps);
    taken[i] = search.steps();
  });
  return std::ranges::all_of(is_plain, std::identity()) &&
         std::accumulate(taken.begin(), taken.end(), std::uint64_t{0}) <= most_steps;
}

Flaw check_causal_writes(const History& history, bool has_sessions, const CommitPlaces& places,
                         const SeenWrites& seen, Patience& patience) {
  const std::vector<TxnId> previous =
      has_sessions ? previous_in_session(history) : std::vector<TxnId>(history.txn_count());
  return CausalClocks(history, has_sessions, previous, places, seen, patience).check();
}

}  // namespace elapid::certify
