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
// So each session has a list of writers for each key: its own transactions, or the transactions
// that it read from. A prefix of the list is visible to a read. One vertex stands for all members
// of a prefix. One edge from it suffices, unless the writer that was read is itself a member.
#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/graph/adjacency.h"
#include "engine/saturate/axioms.h"

namespace elapid {

namespace {

/// By session and key, transactions in the order in which they became visible. 28 bytes a member.
class VisibleWriters {
 public:
  VisibleWriters(std::uint32_t& next_vertex, ForcedEdges& out)
      : next_vertex_(next_vertex), out_(out) {}

  /// Call it session by session, by ascending places. A transaction is in each list once.
  void add(SessionId session, KeyId key, std::uint32_t place, std::uint32_t txn) {
    added_.push_back({session, key, place, txn});
  }

  /// Call it after all add().
  void arrange(std::uint32_t key_count) {
    const Adjacency by_key =
        places_by_row(key_count, added_, [](const Added& added) { return added.key.value; });
    members_.reserve(added_.size());
    first_list_.assign(1, 0);
    for (std::uint32_t key = 0; key < key_count; ++key) {
      bool is_first = true;
      for (const std::uint32_t i : by_key.of(key)) {
        const Added& added = added_[i];
        if (is_first || lists_.back().session != added.session) {
          lists_.push_back({added.session, static_cast<std::uint32_t>(members_.size())});
        }
        is_first = false;
        members_.push_back({.place = added.place, .txn = added.txn});
      }
      first_list_.push_back(static_cast<std::uint32_t>(lists_.size()));
    }
    lists_.push_back({{}, static_cast<std::uint32_t>(members_.size())});
    added_ = {};
    sort_by_txn();
  }

  /// All that became visible before `place`, except `writer` itself, must come before `writer`.
  void force(SessionId session, KeyId key, std::uint32_t place, std::uint32_t writer) {
    const auto lists = std::span(lists_).subspan(
        first_list_[key.index()], first_list_[key.index() + 1] - first_list_[key.index()]);
    const auto list = std::ranges::lower_bound(lists, session, {}, &List::session);
    if (list == lists.end() || list->session != session) {
      return;
    }
    const std::uint32_t begin = list->begin;
    const std::uint32_t list_end = (&*list)[1].begin;
    const auto end = static_cast<std::uint32_t>(
        std::ranges::lower_bound(members_.begin() + begin, members_.begin() + list_end, place, {},
                                 &Member::place) -
        members_.begin());
    const std::uint32_t own = std::min(find(begin, list_end, writer), end);
    force_prefix(begin, own, writer);
    if (own == end) {
      return;
    }
    std::uint32_t& done = members_[own].done;
    for (std::uint32_t at = std::max(own + 1, done); at < end; ++at) {
      out_.push_back({members_[at].txn, writer});
    }
    done = std::max(done, end);
  }

 private:
  struct Added {
    SessionId session;
    KeyId key;
    std::uint32_t place = 0;
    std::uint32_t txn = 0;
  };

  struct Member {
    std::uint32_t place = 0;  ///< in the session, of the transaction that made it visible
    std::uint32_t txn = 0;
    std::uint32_t prefix = Seen::kNoTxn;  ///< the vertex for all members up to this one
    std::uint32_t done = 0;               ///< the members up to this index have an edge to it
  };

  struct List {
    SessionId session;
    std::uint32_t begin = 0;  ///< of members_; it ends where the next list begins
  };

  void sort_by_txn() {
    by_txn_.resize(members_.size());
    std::iota(by_txn_.begin(), by_txn_.end(), 0U);
    const auto txn_of = [this](std::uint32_t member) { return members_[member].txn; };
    for (std::size_t l = 0; l + 1 < lists_.size(); ++l) {
      const auto list =
          std::span(by_txn_).subspan(lists_[l].begin, lists_[l + 1].begin - lists_[l].begin);
      if (!std::ranges::is_sorted(list, {}, txn_of)) {
        std::ranges::sort(list, {}, txn_of);
      }
    }
  }

  /// The place of the transaction among a list's members; `end` if it is none of them.
  [[nodiscard]] std::uint32_t find(std::uint32_t begin, std::uint32_t end,
                                   std::uint32_t txn) const {
    const auto list = std::span(by_txn_).subspan(begin, end - begin);
    const auto at = std::ranges::lower_bound(
        list, txn, {}, [this](std::uint32_t member) { return members_[member].txn; });
    return at != list.end() && members_[*at].txn == txn ? *at : end;
  }

  /// Makes members `begin` to `end` - 1 precede `writer`.
  void force_prefix(std::uint32_t begin, std::uint32_t end, std::uint32_t writer) {
    if (begin == end) {
      return;
    }
    if (writer == Seen::kInitial) {
      out_.push_back({members_[end - 1].txn, writer});
      return;
    }
    std::uint32_t made = end;  // the first without a vertex follows the last with one
    while (made > begin && members_[made - 1].prefix == Seen::kNoTxn) {
      --made;
    }
    for (; made < end; ++made) {
      members_[made].prefix = next_vertex_++;
      out_.push_back({members_[made].txn, members_[made].prefix});
      if (made > begin) {
        out_.push_back({members_[made - 1].prefix, members_[made].prefix});
      }
    }
    out_.push_back({members_[end - 1].prefix, writer});
  }

  std::uint32_t& next_vertex_;
  ForcedEdges& out_;
  std::vector<Added> added_;
  std::vector<Member> members_;            // by key, session, place
  std::vector<List> lists_;                // by key, session; the last is a sentinel
  std::vector<std::uint32_t> first_list_;  // by key
  std::vector<std::uint32_t> by_txn_;      // members of each list, by transaction
};

class SessionGuarantees {
 public:
  SessionGuarantees(const Observations& seen, Visibility guarantee, std::uint32_t& next_vertex,
                    ForcedEdges& out)
      : seen_(seen),
        guarantee_(guarantee),
        own_(next_vertex, out),
        read_from_(next_vertex, out),
        out_(out),
        place_(seen.txn_count(), 0) {
    for (std::uint32_t s = 0; s < seen.history().session_count(); ++s) {
      list_session({s});
    }
    const auto key_count = static_cast<std::uint32_t>(seen.history().key_count());
    own_.arrange(key_count);
    read_from_.arrange(key_count);
  }

  /// Returns false if `keep_going` stops it.
  bool force(const std::function<bool()>& keep_going) {
    constexpr std::uint32_t kTxnsBetweenQuestions = 16;
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      if (t % kTxnsBetweenQuestions == 0 && keep_going && !keep_going()) {
        return false;
      }
      if (!seen_.is_present(t)) {
        continue;
      }
      if (demands(Visibility::kReadYourWrites)) {
        force_before(t, own_);
      }
      if (demands(Visibility::kMonotonicReads)) {
        force_before(t, read_from_);
      }
      if (demands(Visibility::kMonotonicWrites)) {
        force_by_sources(t, own_, 0);
      }
      if (demands(Visibility::kWritesFollowReads)) {
        force_by_sources(t, read_from_, 1);
        force_by_indeterminate_sources(t);
      }
    }
    return true;
  }

 private:
  /// PRAM demands all guarantees but writes follow reads.
  [[nodiscard]] bool demands(Visibility guarantee) const {
    return guarantee_ == guarantee ||
           (guarantee_ == Visibility::kPram && guarantee != Visibility::kWritesFollowReads);
  }

  /// Adds what this session makes visible to its later transactions. Only committed transactions
  /// count: an indeterminate one may take effect at any later time.
  void list_session(SessionId session) {
    const bool lists_own =
        demands(Visibility::kReadYourWrites) || demands(Visibility::kMonotonicWrites);
    const bool lists_read =
        demands(Visibility::kMonotonicReads) || demands(Visibility::kWritesFollowReads);
    std::uint32_t place = 0;
    for (const TxnId txn : seen_.history().session_txns(session)) {
      place_[txn.index()] = ++place;
      if (!seen_.history().committed(txn)) {
        continue;
      }
      for (const KeyId key : lists_own ? seen_.written(txn.value) : std::span<const KeyId>()) {
        own_.add(session, key, place, txn.value);
      }
      if (lists_read) {
        list_sources(txn.value, session, place);
      }
    }
  }

  void list_sources(std::uint32_t reader, SessionId session, std::uint32_t place) {
    for (const Seen& read : seen_.reads(reader)) {
      if (read.is_of_txn() && is_first_in_session(read.writer, session)) {
        for (const KeyId key : seen_.written(read.writer)) {
          read_from_.add(session, key, place, read.writer);
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

  [[nodiscard]] SessionId session_of(std::uint32_t txn) const {
    return seen_.history().session({txn});
  }

  void force_before(std::uint32_t reader, VisibleWriters& writers) {
    for (const Seen& read : seen_.reads(reader)) {
      writers.force(session_of(reader), read.key, place_[reader], read.writer);
    }
  }

  /// `beyond`: 1 if the transactions that the source itself made visible count, too.
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

  /// Adds what an indeterminate source itself read, which is in no list.
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
  Visibility guarantee_;
  VisibleWriters own_;
  VisibleWriters read_from_;
  ForcedEdges& out_;
  std::vector<std::uint32_t> place_;     // in its session, from 1
  std::vector<SessionId> last_session_;  // by transaction: that last read from it
};

}  // namespace

bool force_session_guarantee(const Observations& seen, Visibility guarantee,
                             const LevelBudget& budget, std::uint32_t& next_vertex,
                             ForcedEdges& out) {
  return SessionGuarantees(seen, guarantee, next_vertex, out).force(budget.keep_going);
}

}  // namespace elapid
