// A simulated database: versions of keys, or of rows of a table, transactions that read and write
// them step by step, and one policy of those in store_kind.h. In memory are the versions that some
// open transaction, or one that begins within the last 64 commits, may see.
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
  std::uint64_t staleness = 24;        ///< how many commits behind the past may be, up to 64
  std::size_t replicas = 3;            ///< of View::kReplica
  std::uint64_t failover_every = 200;  ///< commits, about
  std::uint64_t lost_tail = 10;        ///< commits lost at most, up to 64
};

/// What a client's session has seen and done. A process that begins anew begins a new one.
struct StoreSession {
  CommitId position = 0;  ///< the last state that it has seen or made
  std::int64_t time = 0;  ///< the last timestamp of a commit
  SeenSet seen = {};      ///< View::kCausal: with all that led to it
};

/// A transaction on its way. The address must not change while it is open.
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
  const StoreKind* kind = nullptr;  ///< how it is treated
  StoreSession* session = nullptr;
  std::uint64_t failovers = 0;  ///< how many there had been when it began
  SeenSet view = {};
  SeenSet led_here = {};  ///< View::kCausal: those it read from, with all that led to them
  std::vector<Read> reads = {};
  std::vector<Write> writes = {};
  RowWork rows = {};
  std::optional<std::uint32_t> waits_for = {};  ///< a slot that another transaction has locked
  PlainTimestamps timestamps = {};
};

/// How a step of a transaction went.
enum class StepAnswer : std::uint8_t {
  kDone,
  kWait,      ///< for another transaction: to be tried again
  kConflict,  ///< it is aborted
  kLost,      ///< it is aborted, because the database failed
};

class Store {
 public:
  Store(const StoreKind& kind, const StoreOptions& options, std::uint64_t seed);
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  /// Puts an initial value under a key, before anything begins.
  void set_initial(const RequestStep& write);

  /// Of StoreKind::mixes, the place of the level that a transaction asks for; nothing if there are
  /// none.
  std::optional<std::size_t> draw_level();

  /// `now`: the time in ns, greater in each call. `kind`: how the transaction is treated; null: as
  /// this store treats all.
  void begin(StoreTxn& txn, StoreSession& session, bool only_reads, std::int64_t now,
             const StoreKind* kind = nullptr);

  /// Reads a register into `seen`, or appends a list's elements to `elements`.
  StepAnswer read(StoreTxn& txn, const RequestStep& step, Seen& seen,
                  std::vector<std::int64_t>& elements);
  StepAnswer write(StoreTxn& txn, const RequestStep& step);
  /// Searches and writes rows, in stores that keep a level of them, and appends what a PlainMop
  /// tells of it to `found`.
  StepAnswer work_on_rows(StoreTxn& txn, const PlainRowOp& op, std::vector<std::int64_t>& found);
  StepAnswer commit(StoreTxn& txn, std::int64_t now);
  void abort(StoreTxn& txn);

  /// From now on everything sees the latest state.
  void settle() { is_settled_ = true; }

  [[nodiscard]] const StoreKind& kind() const { return kind_; }

  [[nodiscard]] CommitId commits() const { return now_; }

  [[nodiscard]] std::uint64_t failovers() const { return failovers_; }

  /// Versions in memory.
  [[nodiscard]] std::size_t version_count() const;

 private:
  /// What is remembered of the last commits.
  struct Commit {
    std::int64_t time = 0;
    SeenSet needs = {};  ///< itself, and what is seen with it
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
  std::deque<std::pair<CommitId, std::uint32_t>> tail_ = {};  // what the last commits wrote
};

}  // namespace elapid
