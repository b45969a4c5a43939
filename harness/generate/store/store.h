// A simulated database: versions of keys, or of rows of a table; transactions that read and write
// them step by step; and one policy of store_kind.h. Memory holds the versions that an open
// transaction, or one that begins within the next 64 commits, may see.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "harness/generate/random.h"
#include "harness/generate/request.h"
#include "harness/generate/store/seen_set.h"
#include "harness/generate/store/store_kind.h"
#include "harness/generate/store/stored_key.h"
#include "harness/generate/store/stored_table.h"
#include "parsers/convert/plain_event.h"

namespace elapid {

struct StoreOptions {
  std::uint64_t staleness = 24;        ///< the most commits that a past state lags behind, up to 64
  std::size_t replicas = 3;            ///< of View::kReplica
  std::uint64_t failover_every = 200;  ///< commits between failovers, about
  std::uint64_t lost_tail = 10;        ///< the most commits that a failover loses, up to 64
};

/// What a client's session has seen and done. A new process begins with a new one.
struct StoreSession {
  CommitId position = 0;  ///< the last state that it saw or made
  std::int64_t time = 0;  ///< the last timestamp of a commit
  SeenSet seen = {};      ///< View::kCausal: the seen commits, with their causes
};

/// An open transaction. The address must not change while it is open.
struct StoreTxn {
  struct Write {
    std::uint32_t slot = 0;
    std::int64_t key = 0;
    std::int64_t value = 0;
    bool is_append = false;
  };

  struct Read {
    std::uint32_t slot = 0;
    CommitId commit = 0;  ///< the writer of the value
  };

  bool is_open = false;
  bool only_reads = false;
  const StoreKind* kind = nullptr;  ///< the policy for this transaction
  StoreSession* session = nullptr;
  std::uint64_t failovers = 0;  ///< number of failovers when it began
  SeenSet view = {};
  SeenSet led_here = {};  ///< View::kCausal: the commits that it read from, with their causes
  std::vector<Read> reads = {};
  std::vector<Write> writes = {};
  RowWork rows = {};
  std::optional<std::uint32_t> waits_for = {};  ///< a slot that another transaction has locked
  PlainTimestamps timestamps = {};
};

/// The result of a step of a transaction.
enum class StepAnswer : std::uint8_t {
  kDone,
  kWait,      ///< for another transaction; try again
  kConflict,  ///< it is aborted
  kLost,      ///< it is aborted, because the database failed
};

class Store {
 public:
  Store(const StoreKind& kind, const StoreOptions& options, std::uint64_t seed);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Sets the initial value of a key, before any transaction begins.
  void set_initial(const RequestStep& write);

  /// Draws the level that a transaction asks for, as a place in StoreKind::mixes; nothing if there
  /// are none.
  std::optional<std::size_t> draw_level();

  /// `now`: the time in ns, greater in each call. `kind`: the policy for the transaction; null: the
  /// policy of this store.
  void begin(StoreTxn& txn, StoreSession& session, bool only_reads, std::int64_t now,
             const StoreKind* kind = nullptr);

  /// Reads a register into `seen`, or appends the elements of a list to `elements`.
  StepAnswer read(StoreTxn& txn, const RequestStep& step, Seen& seen,
                  std::vector<std::int64_t>& elements);
  StepAnswer write(StoreTxn& txn, const RequestStep& step);
  /// Searches and writes rows, in stores with a level for rows. Appends the result to `found`, in
  /// the form of a PlainMop.
  StepAnswer work_on_rows(StoreTxn& txn, const PlainRowOp& op, std::vector<std::int64_t>& found);
  StepAnswer commit(StoreTxn& txn, std::int64_t now);
  void abort(StoreTxn& txn);

  /// From now on, all reads see the latest state.
  void settle() { is_settled_ = true; }

  [[nodiscard]] const StoreKind& kind() const { return kind_; }

  [[nodiscard]] CommitId commits() const { return now_; }

  [[nodiscard]] std::uint64_t failovers() const { return failovers_; }

  /// The number of versions in memory.
  [[nodiscard]] std::size_t version_count() const;

 private:
  /// The stored facts of a recent commit.
  struct Commit {
    std::int64_t time = 0;
    SeenSet needs = {};  ///< itself, and the commits that must be visible with it
  };

  static constexpr CommitId kRemembered = 128;

  StoredKey& key_of(std::uint32_t slot, std::int64_t key);

  [[nodiscard]] Commit& commit_of(CommitId commit) { return recent_[commit % kRemembered]; }

  // Views.
  [[nodiscard]] CommitId oldest() const {
    return now_ > SeenSet::kWindow ? now_ - SeenSet::kWindow : 0;
  }

  CommitId past();
  void choose_view(StoreTxn& txn);
  void choose_commits(StoreTxn& txn);
  void choose_moment(StoreTxn& txn, CommitId moment);
  const StoredVersion* visible(StoreTxn& txn, const StoredKey& key);

  // Reads.
  StepAnswer read_dirty(StoreTxn& txn, const StoredKey& key, const RequestStep& step, Seen& seen,
                        std::vector<std::int64_t>& elements);
  void note_read(StoreTxn& txn, const RequestStep& step, CommitId commit);

  // Writes.
  [[nodiscard]] bool would_wait_for_itself(const StoreTxn& txn, std::uint32_t slot) const;
  [[nodiscard]] bool may_commit(const StoreTxn& txn) const;
  [[nodiscard]] bool may_commit_rows(const StoreTxn& txn) const;
  void install(StoreTxn& txn, std::int64_t now);
  void note_needs(StoreTxn& txn, Commit& commit);
  void catch_up();
  void maybe_fail();
  void end(StoreTxn& txn);
  [[nodiscard]] CommitId horizon() const;

  const StoreKind& kind_;
  StoreOptions options_;
  Random random_;
  std::vector<StoredKey> keys_ = {};  // by slot
  StoredTable table_ = {};
  CommitId now_ = 0;
  std::array<Commit, kRemembered> recent_ = {};
  std::vector<StoreTxn*> open_ = {};
  std::vector<CommitId> replicas_ = {};
  std::uint64_t failovers_ = 0;
  bool is_settled_ = false;
  std::deque<std::pair<CommitId, std::uint32_t>> tail_ = {};  // the writes of the last commits
};

}  // namespace elapid
