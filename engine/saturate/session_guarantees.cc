// The session guarantees (Terry et al., PDIS 1994) as axioms on a commit order, after Viotti and
// Vukolic, "Consistency in Non-Transactional Distributed Storage Systems" (ACM Computing Surveys
// 2016). Visible to a read of T3 is T2 if
//   read your writes      T2 comes before T3 in its session
//   monotonic reads       some transaction before T3 in its session read from T2
//   monotonic writes      T3 read from a transaction that comes after T2 in T2's session
//   writes follow reads   T3 read from T1, and T1 or a transaction before T1 in its session read
//                         from T2
// and PRAM is the first three under one order.
//
// So each session has, for each key, a list of writers: its own transactions, or those that it read
// from. A prefix of the list is visible to a read. One vertex stands for all members of a prefix,
// so that one edge from it suffices, unless the writer that was read is a member itself.
#include <algorithm>
#include <unordered_map>
#include <utility>

#include "engine/saturate/axioms.h"

namespace elapid {

namespace {

/// By session and key, transactions in the order in which they became visible.
class VisibleWriters {
 public:
  VisibleWriters(std::uint32_t& next_vertex, ForcedEdges& out)
      : next_vertex_(next_vertex), out_(out) {}

  void add(std::uint32_t session, KeyId key, std::uint32_t place, std::uint32_t txn) {
    lists_[name(session, key)].push_back({place, txn});
  }

  /// All that became visible before `place`, except `writer` itself, must come before `writer`.
  void force(std::uint32_t session, KeyId key, std::uint32_t place, std::uint32_t writer) {
    const auto found = lists_.find(name(session, key));
    if (found == lists_.end()) {
      return;
    }
    std::vector<Member>& list = found->second;
    const auto end = std::ranges::lower_bound(list, place, {}, &Member::place);
    const auto own =
        std::find_if(list.begin(), end, [&](const Member& member) { return member.txn == writer; });
    force_prefix(list, static_cast<std::size_t>(own - list.begin()), writer);
    if (own == end) {
      return;
    }
    auto& done = done_[{&*own, writer}];
    for (auto at = std::max(own + 1, list.begin() + done); at < end; ++at) {
      out_.push_back({at->txn, writer});
    }
    done = std::max(done, end - list.begin());
  }

 private:
  struct Member {
    std::uint32_t place = 0;  ///< in the session, of the transaction by which it became visible
    std::uint32_t txn = 0;
    std::uint32_t prefix = Seen::kNoTxn;  ///< the vertex for all up to here
  };

  struct HashOfPair {
    std::size_t operator()(const std::pair<const Member*, std::uint32_t>& pair) const {
      return std::hash<const Member*>()(pair.first) * 31 + pair.second;
    }
  };

  static std::uint64_t name(std::uint32_t session, KeyId key) {
    return std::uint64_t{session} << 32 | key.value;
  }

  void force_prefix(std::vector<Member>& list, std::size_t count, std::uint32_t writer) {
    if (count == 0) {
      return;
    }
    if (writer == Seen::kInitial) {
      out_.push_back({list[count - 1].txn, writer});
      return;
    }
    std::size_t made = count;  // the first without a vertex follows the last with one
    while (made > 0 && list[made - 1].prefix == Seen::kNoTxn) {
      --made;
    }
    for (; made < count; ++made) {
      list[made].prefix = next_vertex_++;
      out_.push_back({list[made].txn, list[made].prefix});
      if (made > 0) {
        out_.push_back({list[made - 1].prefix, list[made].prefix});
      }
    }
    out_.push_back({list[count - 1].prefix, writer});
  }

  std::uint32_t& next_vertex_;
  ForcedEdges& out_;
  std::unordered_map<std::uint64_t, std::vector<Member>, SeededHash> lists_;
  /// For a writer that is a member: the place up to which members behind it have an edge to it.
  std::unordered_map<std::pair<const Member*, std::uint32_t>, std::ptrdiff_t, HashOfPair> done_;
};

class SessionGuarantees {
 public:
  SessionGuarantees(const Observations& seen, std::uint32_t& next_vertex, ForcedEdges& out)
      : seen_(seen),
        own_(next_vertex, out),
        read_from_(next_vertex, out),
        out_(out),
        place_(seen.txn_count(), 0) {
    for (std::uint32_t s = 0; s < seen.history().session_count(); ++s) {
      list_session({s});
    }
  }

  /// False if `keep_going` says so before all is done.
  bool force(Visibility guarantee, const std::function<bool()>& keep_going) {
    constexpr std::uint32_t kTxnsBetweenQuestions = 16;
    const bool is_pram = guarantee == Visibility::kPram;
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      if (t % kTxnsBetweenQuestions == 0 && keep_going && !keep_going()) {
        return false;
      }
      if (!seen_.is_present(t)) {
        continue;
      }
      if (is_pram || guarantee == Visibility::kReadYourWrites) {
        force_before(t, own_);
      }
      if (is_pram || guarantee == Visibility::kMonotonicReads) {
        force_before(t, read_from_);
      }
      if (is_pram || guarantee == Visibility::kMonotonicWrites) {
        force_by_sources(t, own_, 0);
      }
      if (guarantee == Visibility::kWritesFollowReads) {
        force_by_sources(t, read_from_, 1);
        force_by_indeterminate_sources(t);
      }
    }
    return true;
  }

 private:
  /// Adds what later transactions of the session see through this one. Only committed transactions
  /// count: an indeterminate one may take effect any time later.
  void list_session(SessionId session) {
    std::uint32_t place = 0;
    std::vector<std::uint32_t> read_from;
    for (const TxnId txn : seen_.history().session_txns(session)) {
      place_[txn.index()] = ++place;
      if (!seen_.history().committed(txn)) {
        continue;
      }
      for (const KeyId key : seen_.written(txn.value)) {
        own_.add(session.value, key, place, txn.value);
      }
      for (const Seen& read : seen_.reads(txn.value)) {
        if (read.is_of_txn() && is_first_in_session(read.writer, session)) {
          for (const KeyId key : seen_.written(read.writer)) {
            read_from_.add(session.value, key, place, read.writer);
          }
        }
      }
    }
  }

  bool is_first_in_session(std::uint32_t writer, SessionId session) {
    if (last_session_.empty()) {
      last_session_.resize(seen_.txn_count());
    }
    return std::exchange(last_session_[writer], session) != session;
  }

  [[nodiscard]] std::uint32_t session_of(std::uint32_t txn) const {
    return seen_.history().session({txn}).value;
  }

  void force_before(std::uint32_t reader, VisibleWriters& writers) {
    for (const Seen& read : seen_.reads(reader)) {
      writers.force(session_of(reader), read.key, place_[reader], read.writer);
    }
  }

  /// `beyond`: 1 if what the source itself made visible counts.
  void force_by_sources(std::uint32_t reader, VisibleWriters& writers, std::uint32_t beyond) {
    const std::span<const Seen> reads = seen_.reads(reader);
    for (const Seen& source : reads) {
      if (!source.is_of_txn()) {
        continue;
      }
      for (const Seen& read : reads) {
        writers.force(session_of(source.writer), read.key, place_[source.writer] + beyond,
                      read.writer);
      }
    }
  }

  /// Adds what an indeterminate source read itself; no list has that.
  void force_by_indeterminate_sources(std::uint32_t reader) {
    const std::span<const Seen> reads = seen_.reads(reader);
    for (const Seen& source : reads) {
      if (!source.is_of_txn() || seen_.history().committed({source.writer})) {
        continue;
      }
      for (const Seen& visible : seen_.reads(source.writer)) {
        for (const Seen& read : reads) {
          if (visible.is_of_txn() && visible.writer != read.writer &&
              seen_.writes(visible.writer, read.key)) {
            out_.push_back({visible.writer, read.writer});
          }
        }
      }
    }
  }

  const Observations& seen_;
  VisibleWriters own_;
  VisibleWriters read_from_;
  ForcedEdges& out_;
  std::vector<std::uint32_t> place_;     // in its session, from 1
  std::vector<SessionId> last_session_;  // by transaction: that read from it last
};

}  // namespace

bool force_session_guarantee(const Observations& seen, Visibility guarantee,
                             const LevelBudget& budget, std::uint32_t& next_vertex,
                             ForcedEdges& out) {
  return SessionGuarantees(seen, next_vertex, out).force(guarantee, budget.keep_going);
}

}  // namespace elapid
