// The door: checks whether a stream of transactions agrees with the timestamps of its database,
// while it goes on. The transactions may arrive in any order.
//
// The axioms are those of check_timestamps(). After the whole stream both have found the same.
// Judging provisionally until nothing more is expected is the idea of Aion (Li et al., "Online
// Timestamp-based Transactional Isolation Checking of Database Systems", 2025, IV). Instead of a
// copy of all keys for each transaction, each key has its versions and reads sorted by time, so an
// arrival looks only at its neighbours.
//
// Example: T2 arrives, which started at 20 and read x = 1 where x is nil so far: a violation, for
// now. Then T1 arrives, which wrote x = 1 and committed at 10. T2's read stands right behind that
// version in the timeline of x, so it is judged again, and the violation is taken back. Violations
// are final once nothing is expected any more that is older.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <vector>

#include "engine/online/byte_codec.h"
#include "engine/online/id_set.h"
#include "engine/online/online_keys.h"
#include "engine/online/online_session.h"
#include "engine/online/provisional_reads.h"
#include "engine/online/violation_ledger.h"

namespace elapid {

struct OnlineOptions {
  Workload workload = Workload::kRwRegister;
  ReadPoint read_point = ReadPoint::kStart;
  bool sessions = false;       ///< check kSession
  Atom initial = Atom::nil();  ///< of registers
  ClockSkew clock_skew = {};
  bool wants_provisional = true;   ///< tell what may still change
  std::size_t page_entries = 256;  ///< how much is stored and loaded together
  /// Nothing comes that starts (ReadPoint::kStart) or commits (kCommit) at the watermark or before
  /// it, so that forget() may be called. Origins are found among what is left.
  bool is_sorted = false;
};

/// How many there were of what.
struct OnlineCounts {
  std::uint64_t accepted = 0;
  std::uint64_t committed = 0;   ///< of these, for certain
  std::uint64_t duplicates = 0;  ///< ignored: their id was there already
  std::uint64_t late = 0;        ///< arrived when their time was final
  std::uint64_t operations = 0;
  std::uint64_t unplaced = 0;     ///< committed without the timestamps they need
  std::uint64_t claimed = 0;      ///< indeterminate with a commit, that say what they read
  std::uint64_t tied = 0;         ///< reads of keys whose versions no timestamp orders
  std::uint64_t maybe = 0;        ///< reads of values that were written at an unknown time
  std::uint64_t provisional = 0;  ///< wrong by now, not yet for good
  std::uint64_t flips = 0;        ///< how often something wrong became right
  std::uint64_t initial = 0;      ///< reads of registers that show the initial value
  std::uint64_t disordered = 0;   ///< whose place in their session is in doubt: see OnlineSession
};

/// O(log n) a transaction that arrives in order and an operation of it, n being what happened to
/// the key since the last eviction; for others the later reads that it affects in addition.
class OnlineChecker final : private KeyObserver, private SessionObserver {
 public:
  OnlineChecker(const OnlineOptions& options, PageStore& store);

  /// Takes a transaction. False if one of its id was there already.
  bool add(const OnlineTxn& txn);

  /// Counts one that was not even looked at.
  void ignore_duplicate() { ++counts_.duplicates; }

  /// Whether one of that id was there.
  [[nodiscard]] bool knows(Atom id) const { return ids_.contains(id); }

  /// Nothing more is expected whose commit is that time or earlier: what was found up to then is
  /// final. A time that is not later than the last one says nothing.
  void advance(Timestamp watermark);

  [[nodiscard]] const std::optional<Timestamp>& watermark() const { return watermark_; }

  /// The greatest commit so far.
  [[nodiscard]] const std::optional<Timestamp>& greatest() const { return greatest_; }

  [[nodiscard]] const OnlineCounts& counts() const { return counts_; }

  [[nodiscard]] const ViolationLedger& ledger() const { return ledger_; }

  /// What happened since the last call.
  [[nodiscard]] std::vector<OnlineEvent> take_events() {
    OnlineEvents events;
    take_events(events);
    std::vector<OnlineEvent> copies;
    events.each([&](const OnlineEvent& event) { copies.push_back(event); });
    return copies;
  }

  /// The same, in place of what was there. Its memory is used again.
  void take_events(OnlineEvents& into) { ledger_.take_events(into); }

  /// The value that registers seem to hold at first, in place of the one of the options: all final
  /// reads of unwritten values show it, and no read shows the initial value. One such read is
  /// enough where it shows 0, else there must be two, as in likely_initial() for whole histories.
  [[nodiscard]] std::optional<Atom> likely_initial() const;

  /// Bytes, roughly.
  [[nodiscard]] std::size_t memory() const;

  /// Moves pages to the store until no more than `most` bytes are in memory, as far as possible:
  /// first those that are final.
  void shrink(std::size_t most);

  /// Drops everything that the watermark has made final: what remains is what is open, and one
  /// version a key. Sessions are kept if some have an order of their own or indeterminate
  /// transactions. Requires `is_sorted` and a
  /// store that forgets.
  void forget();

  /// Writes all pages to the store, and says everything that it does not hold.
  [[nodiscard]] std::string save();

  /// Makes everything as it was when save() said that, with the same store. Requires a new checker
  /// with the same options.
  void restore(std::string_view bytes);

 private:
  struct IsDueLater {
    bool operator()(const Pending& a, const Pending& b) const;
  };

  class DueQueue : public std::priority_queue<Pending, std::vector<Pending>, IsDueLater> {
   public:
    [[nodiscard]] const std::vector<Pending>& all() const { return c; }
  };

  /// A read has changed its judgment.
  struct Change {
    Atom key = {};
    ReadName read = {};
    ReadState before = ReadState::kRight;
    ReadState now = ReadState::kRight;
    Comparison comparison = {};
  };

  void on_read(Atom key, const ReadName& read, ReadState before, ReadState now,
               const Comparison& comparison) override;
  void on_internal(Atom key, std::uint32_t mop, ViolationFacts facts) override;
  void on_conflict(Atom key, const OnlineVersion& earlier, const OnlineVersion& later) override;
  void on_session(Atom session, const SessionEntry& entry, Atom before) override;

  [[nodiscard]] bool is_final(Timestamp time) const { return watermark_ && time <= *watermark_; }

  [[nodiscard]] KeyContext context();

  /// Nil is the initial value of a register.
  [[nodiscard]] Atom normal(Atom value) const {
    return value.is_nil() && options_.workload == Workload::kRwRegister ? options_.initial : value;
  }

  void note_initial(const PlacedTxn& placed);
  void note_unplaced(const PlacedTxn& placed);
  void add_to_session(const PlacedTxn& placed);
  void look_at_origins(const PlacedTxn& placed);
  void evict_sessions(Timestamp time);
  void settle_changes();
  void settle(const Change& change);
  void announce(const Change& change, bool is_wrong);
  void settle_read(Atom key, const ReadName& read);
  static void write(ByteWriter& out, const Pending& pending);
  void finalize(const Pending& pending);

  [[nodiscard]] bool is_final(const ReadName& read) const {
    return is_final(options_.clock_skew.after(read.at.time()));
  }

  [[nodiscard]] ViolationFacts facts(Atom session, const SessionEntry& entry) const;
  void look_at_skews(const PlacedTxn& placed);
  void count(ReadState state, bool is_more);
  OnlineSession& session(Atom name);

  OnlineOptions options_;
  Paging paging_;
  UnplacedWrites unplaced_;
  std::unique_ptr<OnlineKeys> keys_;
  std::map<Atom, OnlineSession> sessions_;
  bool is_restored_ = false;
  IdSet ids_;
  ViolationLedger ledger_;
  std::optional<Timestamp> watermark_;
  std::optional<Timestamp> greatest_;
  OnlineCounts counts_;
  ProvisionalReads provisional_reads_;  // until their time comes near
  DueQueue pending_;
  std::vector<Change> changes_;       // of the transaction at hand
  Atom current_ = {};                 // its id
  bool is_late_ = false;              // whether it is
  bool sessions_grow_at_end_ = true;  // have no numbers, and all transactions committed
};

}  // namespace elapid
