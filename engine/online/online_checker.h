// The entry: checks whether a stream of transactions agrees with the timestamps of its database,
// while the stream goes on. The transactions may arrive in any order.
//
// The axioms are those of check_timestamps(). After the whole stream both give the same violations.
// The checker judges provisionally until no older transaction is expected, an idea of Aion (Li et
// al., "Online Timestamp-based Transactional Isolation Checking of Database Systems", 2025, IV).
// Aion copies all keys for each transaction; here each key has its versions and reads sorted by
// time, so an arrival affects only its neighbours.
//
// Example: T2 arrives. It started at 20 and read x = 1, but x is nil so far: a violation, for now.
// Then T1 arrives. It wrote x = 1 and committed at 10. T2's read is next after this version in the
// timeline of x, so it is judged again, and the violation is withdrawn. A violation is final when
// no older transaction is expected any more.
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
  Atom initial = Atom::nil();  ///< initial value of registers
  ClockSkew clock_skew = {};
  bool wants_provisional = true;   ///< report violations that may still be withdrawn
  std::size_t page_entries = 256;  ///< entries that are stored and loaded together
  /// No transaction starts (ReadPoint::kStart) or commits (kCommit) at or before the watermark, so
  /// forget() may be called. Origins are searched in the remaining data only.
  bool is_sorted = false;
};

/// The counts of a stream.
struct OnlineCounts {
  std::uint64_t accepted = 0;
  std::uint64_t committed = 0;   ///< certainly committed ones
  std::uint64_t duplicates = 0;  ///< ignored, because their id was known
  std::uint64_t late = 0;        ///< arrived after their time was final
  std::uint64_t operations = 0;
  std::uint64_t unplaced = 0;     ///< committed without the timestamps they need
  std::uint64_t claimed = 0;      ///< indeterminate ones with a commit and known reads
  std::uint64_t tied = 0;         ///< reads of keys with versions that no timestamp orders
  std::uint64_t maybe = 0;        ///< reads of values with an unknown time of writing
  std::uint64_t provisional = 0;  ///< violations that may still be withdrawn
  std::uint64_t flips = 0;        ///< withdrawn violations
  std::uint64_t initial = 0;      ///< reads that show a register's initial value
  std::uint64_t disordered = 0;   ///< with a doubtful place in their session: see OnlineSession
};

/// O(log n) for each transaction in order and each operation, with n entries of the key since the
/// last eviction; for a late transaction also the later reads that it affects.
class OnlineChecker final : private KeyObserver, private SessionObserver {
 public:
  OnlineChecker(const OnlineOptions& options, PageStore& store);

  /// Adds a transaction. False if its id is known.
  bool add(const OnlineTxn& txn);

  /// Counts a duplicate that was not passed to add().
  void ignore_duplicate() { ++counts_.duplicates; }

  /// Whether a transaction with this id was added.
  [[nodiscard]] bool knows(Atom id) const { return ids_.contains(id); }

  /// No more transactions are expected that commit at or before `watermark`, so violations up to
  /// then become final. A watermark that is not later than the last one has no effect.
  void advance(Timestamp watermark);

  [[nodiscard]] const std::optional<Timestamp>& watermark() const { return watermark_; }

  /// The greatest commit timestamp so far.
  [[nodiscard]] const std::optional<Timestamp>& greatest() const { return greatest_; }

  [[nodiscard]] const OnlineCounts& counts() const { return counts_; }

  [[nodiscard]] const ViolationLedger& ledger() const { return ledger_; }

  /// The events since the last call.
  [[nodiscard]] std::vector<OnlineEvent> take_events() {
    OnlineEvents events;
    take_events(events);
    std::vector<OnlineEvent> copies;
    events.each([&](const OnlineEvent& event) { copies.push_back(event); });
    return copies;
  }

  /// The same: moves them into `into`, and reuses its memory.
  void take_events(OnlineEvents& into) { ledger_.take_events(into); }

  /// The value that registers seem to hold at first, instead of the one in the options: all final
  /// reads of unwritten values show it, and no read shows the initial value. If it is 0, one such
  /// read is enough, else two are needed, as in likely_initial() for whole histories.
  [[nodiscard]] std::optional<Atom> likely_initial() const;

  /// Bytes used, roughly.
  [[nodiscard]] std::size_t memory() const;

  /// Moves pages to the store, final ones first, until at most `most` bytes are in memory, as far
  /// as possible.
  void shrink(std::size_t most);

  /// Drops everything that is final by the watermark. Open data and one
  /// version of each key remain. Sessions remain if some have an order of
  /// their own or indeterminate transactions. Requires `is_sorted` and a store
  /// that forgets.
  void forget();

  /// Writes all pages to the store, and returns the state that the store does not hold.
  [[nodiscard]] std::string save();

  /// Restores the state of save(), with the same store. Requires a new checker with the same
  /// options.
  void restore(std::string_view bytes);

 private:
  struct IsDueLater {
    bool operator()(const Pending& a, const Pending& b) const;
  };

  class DueQueue : public std::priority_queue<Pending, std::vector<Pending>, IsDueLater> {
   public:
    [[nodiscard]] const std::vector<Pending>& all() const { return c; }
  };

  /// A read with a changed judgement.
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

  void note_initial(const PlacedTxn& placed);
  void note_unplaced(const PlacedTxn& placed);
  void withdraw_explained(const PlacedTxn& placed);
  [[nodiscard]] bool may_be_explained(const ViolationFacts& facts, Atom key, Atom value);
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
  ProvisionalReads provisional_reads_;  // until their time is near
  DueQueue pending_;
  std::vector<Change> changes_;       // of the current transaction
  Atom current_ = {};                 // id of the current transaction
  bool is_late_ = false;              // whether the current transaction is late
  bool sessions_grow_at_end_ = true;  // no session numbers, and all transactions committed
};

}  // namespace elapid
