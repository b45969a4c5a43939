#include "engine/certify/orders/visible_writes.h"

#include <algorithm>
#include <unordered_map>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/participants.h"
#include "engine/certify/orders/causal_writes.h"

namespace elapid::certify {

namespace {

/// For each key, the last place, plus one, of the writers that became visible since clear(). 8
/// bytes a key.
class LastVisible {
 public:
  explicit LastVisible(std::size_t key_count) : last_(key_count) {}

  void clear() { ++now_; }

  void add(KeyId key, std::uint32_t place) {
    Entry& entry = last_[key.index()];
    entry = {now_, entry.age == now_ ? std::max(entry.last, place + 1) : place + 1};
  }

  [[nodiscard]] std::uint32_t of(KeyId key) const {
    const Entry& entry = last_[key.index()];
    return entry.age == now_ ? entry.last : 0;
  }

 private:
  struct Entry {
    std::uint32_t age = 0;
    std::uint32_t last = 0;
  };

  std::vector<Entry> last_;
  std::uint32_t now_ = 1;
};

/// By what a reader itself read: read committed, and the part of read atomic that needs no session.
class VisibleByReads {
 public:
  VisibleByReads(const History& history, Visibility visibility, const CommitPlaces& places)
      : history_(history),
        is_atomic_(visibility == Visibility::kReadAtomic),
        places_(places),
        visible_(history.key_count()) {}

  Flaw check(TxnId reader, std::span<const ReadFrom> reads) {
    visible_.clear();
    for (const ReadFrom& read : is_atomic_ ? reads : reads.first(0)) {
      add_writes(read.writer);
    }
    for (const ReadFrom& read : reads) {
      if (Flaw flaw =
              compare_with_visible(history_, places_, reader, read, visible_.of(read.key))) {
        return flaw;
      }
      if (!is_atomic_) {
        add_writes(read.writer);
      }
    }
    return {};
  }

 private:
  /// All that a transaction wrote becomes visible.
  void add_writes(TxnId writer) {
    if (writer.is_none()) {
      return;
    }
    for (const Op op : effective_ops(history_, writer)) {
      if (op.is_write()) {
        visible_.add(op.key(), places_.of(writer));
      }
    }
  }

  const History& history_;
  bool is_atomic_;
  const CommitPlaces& places_;
  LastVisible visible_;
};

class VisibleWrites {
 public:
  VisibleWrites(const History& history, OrderLevel level, const CommitPlaces& places,
                const SeenWrites& seen, Patience& patience)
      : history_(history), level_(level), places_(places), seen_(seen), patience_(patience) {}

  Flaw check() {
    switch (level_.visibility) {
      case Visibility::kReadCommitted:
        return check_reads();
      case Visibility::kReadAtomic: {
        Flaw flaw = check_reads();
        return flaw || !level_.sessions ? flaw : check_sessions();
      }
      case Visibility::kCausal:
        return check_causal_writes(history_, level_.sessions, places_, seen_, patience_);
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
      if (!patience_.goes_on()) {
        return kToldToStop;
      }
      if (Flaw flaw = places_.has({t}) ? check({t}) : Flaw()) {
        return flaw;
      }
    }
    return {};
  }

  [[nodiscard]] Flaw compare(TxnId reader, const ReadFrom& read, std::uint32_t last_visible) const {
    return compare_with_visible(history_, places_, reader, read, last_visible);
  }

  Flaw check_reads() {
    VisibleByReads by_reads(history_, level_.visibility, places_);
    return each_reader([&](TxnId reader) { return by_reads.check(reader, seen_.of(reader)); });
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
    for (const ReadFrom& read : seen_.of(reader)) {
      if (Flaw flaw = compare(reader, read, visible.of(read.key))) {
        return flaw;
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

    /// The last place of the writers that became visible by transactions of a lower rank.
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
    for (const ReadFrom& read : seen_.of(txn)) {
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
    const std::span<const ReadFrom> reads = seen_.of(reader);
    for (const ReadFrom& read : reads) {
      const SessionId session = history_.session(reader);
      std::uint32_t last = 0;
      if (demands(Visibility::kReadYourWrites)) {
        last = own_.before(session, read.key, rank_[reader.index()]);
      }
      if (demands(Visibility::kMonotonicReads)) {
        last = std::max(last, read_from_.before(session, read.key, rank_[reader.index()]));
      }
      for (const ReadFrom& by : reads) {
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

  /// The last place, plus one, among the transactions that `source` read from and that wrote the
  /// key.
  [[nodiscard]] std::uint32_t last_read_by(TxnId source, KeyId key) const {
    std::uint32_t last = 0;
    for (const ReadFrom& read : seen_.of(source)) {
      if (!read.writer.is_none() && !final_value(history_, read.writer, key).is_none()) {
        last = std::max(last, places_.of(read.writer) + 1);
      }
    }
    return last;
  }

  /// Transactions that a session read from come before what it writes later.
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
        for (const ReadFrom& read : seen_.of(txn)) {
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
  Patience& patience_;
  std::vector<std::uint32_t> rank_;  // in the session
  Growing own_;
  Growing read_from_;
};

}  // namespace

/// `last_visible`: the place, plus one, of the last visible writer of the key; 0 if there is none.
Flaw compare_with_visible(const History& history, const CommitPlaces& places, TxnId reader,
                          const ReadFrom& read, std::uint32_t last_visible) {
  if (last_visible == 0) {
    return {};
  }
  const std::uint32_t seen = read.writer.is_none() ? 0 : places.of(read.writer) + 1;
  return last_visible <= seen
             ? Flaw()
             : txn_text(history, places.order()[last_visible - 1].txn) + " wrote key " +
                   history.shown_key(read.key) + " and was visible to " +
                   txn_text(history, reader) + ", which read what comes before it";
}

Flaw check_visible_writes(const History& history, OrderLevel level, const CommitPlaces& places,
                          const SeenWrites& seen, Patience& patience) {
  const bool is_settled = level.visibility == Visibility::kNothing ||
                          is_plainly_causal(history, level.sessions, places, seen);
  return is_settled ? Flaw() : VisibleWrites(history, level, places, seen, patience).check();
}

}  // namespace elapid::certify
