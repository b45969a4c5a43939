#include "engine/certify/visible_writes.h"

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>
#include <utility>

#include "engine/certify/operations.h"
#include "engine/certify/participants.h"

namespace elapid::certify {

namespace {

/// `last_visible`: of the visible writers of the key, its place plus one; 0 if there is none.
Flaw compare(const History& history, const CommitPlaces& places, TxnId reader,
             const SeenWrites::Read& read, std::uint32_t last_visible) {
  if (last_visible == 0) {
    return {};
  }
  const std::uint32_t seen = read.writer.is_none() ? 0 : places.of(read.writer) + 1;
  return last_visible <= seen
             ? Flaw()
             : txn_text(history, places.order()[last_visible - 1].txn) + " wrote key " +
                   history.key_text(read.key) + " and was visible to " + txn_text(history, reader) +
                   ", which read what comes before it";
}

class VisibleWrites {
 public:
  VisibleWrites(const History& history, OrderLevel level, const CommitPlaces& places,
                const SeenWrites& seen)
      : history_(history), level_(level), places_(places), seen_(seen) {}

  Flaw check() {
    switch (level_.visibility) {
      case Visibility::kReadAtomic:
        return level_.sessions ? check_sessions() : Flaw();
      case Visibility::kCausal: {
        // More is visible with sessions, and chains are fewer.
        const Flaw flaw = check_causal(true);
        return flaw && !level_.sessions ? check_causal(false) : flaw;
      }
      case Visibility::kPram:
      case Visibility::kWritesFollowReads:
      case Visibility::kMonotonicWrites:
      case Visibility::kMonotonicReads:
      case Visibility::kReadYourWrites:
        return check_guarantee();
      default:
        return {};
    }
  }

 private:
  static constexpr std::size_t kAhead = 8;  // transactions

  template <class Check>
  Flaw each_reader(Check check) {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (Flaw flaw = places_.has({t}) ? check({t}) : Flaw()) {
        return flaw;
      }
    }
    return {};
  }

  [[nodiscard]] Flaw compare(TxnId reader, const SeenWrites::Read& read,
                             std::uint32_t last_visible) const {
    return certify::compare(history_, places_, reader, read, last_visible);
  }

  /// Read atomic: all that was written before in the session.
  Flaw check_sessions() {
    LastVisible visible(history_.key_count());
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      visible.clear();
      const std::span<const TxnId> session = history_.session_txns({s});
      for (std::size_t i = 0; i < session.size(); ++i) {
        const TxnId txn = session[i];
        prefetch(session, i + kAhead);
        if (Flaw flaw = places_.has(txn) ? check_session_reads(txn, visible) : Flaw()) {
          return flaw;
        }
        if (!history_.committed(txn)) {
          continue;
        }
        for (const Op op : effective_ops(history_, txn)) {
          if (op.is_write()) {
            visible.add(op.key(), places_.of(txn));
          }
        }
      }
    }
    return {};
  }

  /// Transactions of a session need not lie beside one another.
  void prefetch(std::span<const TxnId> session, std::size_t i) const {
    if (i < session.size()) {
      __builtin_prefetch(history_.ops(session[i]).data());
      __builtin_prefetch(seen_.of(session[i]).data());
    }
  }

  [[nodiscard]] Flaw check_session_reads(TxnId reader, const LastVisible& visible) const {
    for (const SeenWrites::Read& read : seen_.of(reader)) {
      if (Flaw flaw = compare(reader, read, visible.of(read.key))) {
        return flaw;
      }
    }
    return {};
  }

  // Causal consistency: pasts as vector clocks, some chains at a time. A chain is a session's
  // committed transactions, or one indeterminate transaction; or, without sessions, transactions
  // each of which read from the one before.

  static constexpr std::uint32_t kBlock = 16;
  static constexpr std::uint32_t kNoChain = std::numeric_limits<std::uint32_t>::max();
  using Clock = std::array<std::uint32_t, kBlock>;  // members of each chain that are in the past

  struct ChainWrite {
    KeyId key;
    std::uint32_t column = 0;
    std::uint32_t rank = 0;  // in its chain, from 1
    std::uint32_t place = 0;
  };

  /// Of the writes of one key in one chain, those in the past of the reader at hand.
  struct PastWrites {
    std::uint32_t next = 0;  // the first that is not
    std::uint32_t end = 0;
  };

  Flaw check_causal(bool has_sessions) {
    const std::vector<std::vector<TxnId>> chains =
        has_sessions ? chains_of_sessions() : chains_of_reads();
    previous_ = has_sessions ? previous_in_session() : std::vector<TxnId>(history_.txn_count());
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
      for (const SeenWrites::Read& read : seen_.of(event.txn)) {
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

  [[nodiscard]] std::vector<TxnId> previous_in_session() const {
    std::vector<TxnId> previous(history_.txn_count());
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      TxnId last;
      for (const TxnId txn : history_.session_txns({s})) {
        previous[txn.index()] = last;
        last = history_.committed(txn) ? txn : last;
      }
    }
    return previous;
  }

  /// Of each transaction, itself left out, and the writes of the block.
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
    for (const OrderEvent event : places_.order()) {  // whatever leads to it comes earlier
      Clock past = {};
      join(past, previous_[event.txn.index()]);
      for (const SeenWrites::Read& read : seen_.of(event.txn)) {
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

  /// Of each chain the last writer in the past counts: it comes last in the order too. Along the
  /// readers' chain pasts only grow.
  Flaw check_chain(std::span<const TxnId> readers) {
    std::vector<PastWrites> groups = first_groups_;
    for (const TxnId reader : readers) {
      const Clock& past = pasts_[reader.index()];
      for (const SeenWrites::Read& read : seen_.of(reader)) {
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
        if (Flaw flaw = compare(reader, read, last)) {
          return flaw;
        }
      }
    }
    return {};
  }

  // Session guarantees: by session and key, the last place of the writers that have become visible,
  // and since when.

  struct Since {
    std::uint32_t rank = 0;  // in the session, of the transaction by which it became visible
    std::uint32_t last = 0;
  };

  class Growing {
   public:
    void add(SessionId session, KeyId key, std::uint32_t rank, std::uint32_t place) {
      std::vector<Since>& steps = steps_[name(session, key)];
      if (steps.empty() || steps.back().last <= place) {
        steps.push_back({rank, place + 1});
      }
    }

    /// By transactions of a rank below this.
    [[nodiscard]] std::uint32_t before(SessionId session, KeyId key, std::uint32_t rank) const {
      const auto found = steps_.find(name(session, key));
      if (found == steps_.end()) {
        return 0;
      }
      const auto at = std::ranges::lower_bound(found->second, rank, {}, &Since::rank);
      return at == found->second.begin() ? 0 : (at - 1)->last;
    }

   private:
    static std::uint64_t name(SessionId session, KeyId key) {
      return std::uint64_t{session.value} << 32 | key.value;
    }

    std::unordered_map<std::uint64_t, std::vector<Since>> steps_;
  };

  Flaw check_guarantee() {
    rank_.assign(history_.txn_count(), 0);
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      std::uint32_t rank = 0;
      for (const TxnId txn : history_.session_txns({s})) {
        rank_[txn.index()] = ++rank;
        if (history_.committed(txn)) {
          grow({s}, txn);
        }
      }
    }
    Flaw flaw =
        level_.visibility == Visibility::kWritesFollowReads ? check_writes_after_reads() : Flaw();
    return flaw ? flaw : each_reader([this](TxnId reader) { return check_guarantee_of(reader); });
  }

  void grow(SessionId session, TxnId txn) {
    const auto add = [&](TxnId writer, Growing& out) {
      for (const Op op : effective_ops(history_, writer)) {
        if (op.is_write()) {
          out.add(session, op.key(), rank_[txn.index()], places_.of(writer));
        }
      }
    };
    add(txn, own_);
    for (const SeenWrites::Read& read : seen_.of(txn)) {
      if (!read.writer.is_none()) {
        add(read.writer, read_from_);
      }
    }
  }

  Flaw check_guarantee_of(TxnId reader) {
    const bool is_pram = level_.visibility == Visibility::kPram;
    const auto demands = [&](Visibility guarantee) {
      return level_.visibility == guarantee ||
             (is_pram && guarantee != Visibility::kWritesFollowReads);
    };
    const std::span<const SeenWrites::Read> reads = seen_.of(reader);
    for (const SeenWrites::Read& read : reads) {
      const SessionId session = history_.session(reader);
      std::uint32_t last = 0;
      if (demands(Visibility::kReadYourWrites)) {
        last = own_.before(session, read.key, rank_[reader.index()]);
      }
      if (demands(Visibility::kMonotonicReads)) {
        last = std::max(last, read_from_.before(session, read.key, rank_[reader.index()]));
      }
      for (const SeenWrites::Read& by : reads) {
        if (by.writer.is_none()) {
          continue;
        }
        const SessionId other = history_.session(by.writer);
        const std::uint32_t rank = rank_[by.writer.index()];
        if (demands(Visibility::kMonotonicWrites)) {
          last = std::max(last, own_.before(other, read.key, rank));
        }
        if (demands(Visibility::kWritesFollowReads)) {
          last = std::max({last, read_from_.before(other, read.key, rank + 1),
                           last_read_by(by.writer, read.key)});
        }
      }
      if (Flaw flaw = compare(reader, read, last)) {
        return flaw;
      }
    }
    return {};
  }

  /// The last of those that a transaction read from that write the key.
  [[nodiscard]] std::uint32_t last_read_by(TxnId source, KeyId key) const {
    std::uint32_t last = 0;
    for (const SeenWrites::Read& read : seen_.of(source)) {
      if (!read.writer.is_none() && !final_value(history_, read.writer, key).is_none()) {
        last = std::max(last, places_.of(read.writer) + 1);
      }
    }
    return last;
  }

  /// Whom a session read from comes before what it writes later.
  [[nodiscard]] Flaw check_writes_after_reads() const {
    for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
      std::uint32_t last = 0;  // that was read from, plus one
      for (const TxnId txn : history_.session_txns({s})) {
        if (!places_.has(txn)) {
          continue;
        }
        if (last > places_.of(txn) && writes_something(history_, txn)) {
          return txn_text(history_, txn) + " comes before what its session had read";
        }
        for (const SeenWrites::Read& read : seen_.of(txn)) {
          if (!read.writer.is_none() && history_.committed(txn)) {
            last = std::max(last, places_.of(read.writer) + 1);
          }
        }
      }
    }
    return {};
  }

  const History& history_;
  OrderLevel level_;
  const CommitPlaces& places_;
  const SeenWrites& seen_;
  std::vector<TxnId> previous_;  // committed, in the session
  std::vector<Clock> pasts_;
  std::vector<ChainWrite> writes_;          // of the chains at hand, by key
  std::vector<std::uint32_t> write_begin_;  // by key
  std::vector<PastWrites> first_groups_;    // by key and chain, nothing in the past
  std::vector<std::uint32_t> group_begin_;  // by key
  std::vector<std::uint32_t> rank_;         // in the session
  Growing own_;
  Growing read_from_;
};

}  // namespace

VisibleByReads::VisibleByReads(const History& history, OrderLevel level, const CommitPlaces& places)
    : history_(history),
      visibility_(level.visibility),
      places_(places),
      visible_(history.key_count()) {}

Flaw VisibleByReads::check(TxnId reader, std::span<const SeenWrites::Read> reads) {
  const bool is_atomic = visibility_ == Visibility::kReadAtomic;
  if (reads.size() < 2 || (!is_atomic && visibility_ != Visibility::kReadCommitted)) {
    return {};
  }
  visible_.clear();
  for (const SeenWrites::Read& read : is_atomic ? reads : reads.first(0)) {
    add_writes(read.writer);
  }
  for (const SeenWrites::Read& read : reads) {
    if (Flaw flaw = compare(history_, places_, reader, read, visible_.of(read.key))) {
      return flaw;
    }
    if (!is_atomic) {
      add_writes(read.writer);
    }
  }
  return {};
}

/// All that a transaction wrote becomes visible.
void VisibleByReads::add_writes(TxnId writer) {
  if (writer.is_none()) {
    return;
  }
  for (const Op op : effective_ops(history_, writer)) {
    if (op.is_write()) {
      visible_.add(op.key(), places_.of(writer));
    }
  }
}

Flaw check_visible_writes(const History& history, OrderLevel level, const CommitPlaces& places,
                          const SeenWrites& seen) {
  return VisibleWrites(history, level, places, seen).check();
}

}  // namespace elapid::certify
