// Executes the transactions of a witness again, on rows.
//
//   order T1 T2: T1 inserts row 7, T2 counts the rows with age > 10 and found one: row 7 it is
//
// Its parts: the order and the operations (rows_witness.cc), results (rows_replay_results.cc), old
// versions (rows_replay_versions.cc), sessions and real time (rows_replay_orders.cc).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/certify/operations/operations.h"
#include "engine/certify/rows/live_rows.h"
#include "engine/certify/rows/rows_known.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/rows/rows.h"
#include "engine/verdict/order_evidence.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::certify {

/// The rows that a transaction changes; nothing: the row does not exist any more.
using RowChanges = std::map<KeyId, std::optional<LiveRow>>;

/// Borrows history and witness.
class RowsReplay {
 public:
  RowsReplay(const History& history, OrderLevel level, const Witness& witness,
             std::optional<Model> of_old_versions = {})
      : history_(history),
        rows_(*history.info().rows),
        level_(level),
        witness_(witness),
        live_(history, of_old_versions.has_value(), witness.beginning),
        is_repeatable_(of_old_versions == Model::kPl299 || of_old_versions == Model::kPl2),
        is_read_committed_(of_old_versions == Model::kPl2),
        is_read_atomic_(of_old_versions == Model::kReadAtomic),
        begun_(history.txn_count(), kNever),
        committed_(history.txn_count(), kNever) {
    for (const TakenRow& one : witness.taken) {
      taken_[{one.txn, one.mop}].insert(one.row);
    }
    for (const ReadFrom& one : witness.reads) {
      reads_[one.reader].push_back(one);
    }
  }

  std::optional<std::string> check(const std::function<bool()>& keep_going);

 private:
  /// The first version of a row, and those that transactions left.
  using Versions = std::vector<std::pair<TxnId, std::optional<LiveRow>>>;

  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  static constexpr std::size_t kAhead = 8;  // rows shown whose contents are prefetched

  /// Sets the beginning of an open universe: any contents, for rows and columns of the history.
  std::optional<std::string> begin();

  [[nodiscard]] std::string name(TxnId txn) const { return txn_text(history_, txn); }

  std::optional<std::string> carry_out(OrderEvent event, std::size_t at);

  /// Checks that no two active transactions write the same row.
  [[nodiscard]] std::optional<std::string> check_overlap(TxnId txn, const RowChanges& changes);

  std::optional<std::string> run(TxnId txn, RowChanges& changes);

  /// The rows that the operation took, as the witness says.
  [[nodiscard]] const std::set<KeyId>& taken_of(TxnId txn, std::uint32_t mop) const;

  [[nodiscard]] const LiveRow* seen(KeyId row, const RowChanges& changes) const;

  /// The row that the transaction changes: the last version, at read atomic whether seen or not.
  [[nodiscard]] const LiveRow* changed(KeyId row, const RowChanges& changes) const;

  bool on_row(const rows::RowOp& op, const std::set<KeyId>& taken, RowChanges& changes) const;

  /// A delete by key. If it may have missed the row in an earlier version, it took the row only if
  /// `taken` has it.
  bool end_row(const rows::RowOp& op, const std::set<KeyId>& taken, RowChanges& changes) const;

  /// Always true.
  bool write(const rows::RowOp& op, KeyId row, RowChanges& changes) const;

  [[nodiscard]] static ValueId column_of(const LiveRow& row, rows::ColumnId column);

  [[nodiscard]] bool agrees(const rows::RowOp& op, const rows::ShownRow& shown,
                            const LiveRow& row) const;

  bool by_predicate(const rows::RowOp& op, RowChanges& changes) const;

  /// Writes if the operation writes. Whether all rows exist that it writes.
  bool write_all(const rows::RowOp& op, const std::vector<KeyId>& found, RowChanges& changes) const;

  /// Whether the operation's result tells which rows it writes, if the result is right.
  [[nodiscard]] static bool tells_rows(const rows::RowOp& op) {
    return op.names_rows() ||
           (op.is_read() && (op.known == rows::Known::kCount || op.known == rows::Known::kAny));
  }

  /// For an operation that writes.
  [[nodiscard]] std::vector<KeyId> rows_shown(const rows::RowOp& op) const;

  /// The number of matches, own changes included, if that needs no look at the rows.
  [[nodiscard]] std::optional<std::size_t> counted(const rows::RowOp& op,
                                                   const RowChanges& changes) const;

  /// Whether an operation that tells rows found this number.
  [[nodiscard]] bool is_result(const rows::RowOp& op, std::size_t count,
                               const RowChanges& changes) const;

  // Read atomic.

  /// Lets the rows be as the transaction sees them; else what is wrong.
  [[nodiscard]] std::optional<std::string> hide_unseen(TxnId txn);

  /// The transactions that wrote versions after those that the witness says it reads.
  [[nodiscard]] std::set<TxnId> unseen_by(TxnId txn) const;

  void show_all();

  void note_versions(TxnId txn, const RowChanges& changes);

  // Repeatable read.

  /// Whether a delete by key may have found an earlier version of its row.
  [[nodiscard]] bool may_miss_by_key() const { return is_read_committed_ || is_read_atomic_; }

  /// Must be called before the changes are made.
  void remember(TxnId txn, const RowChanges& changes);

  [[nodiscard]] bool is_match(const rows::RowOp& op, KeyId row, const LiveRow* content) const;

  /// Whether a version of the row that the operation may concern fits its finding of the row.
  [[nodiscard]] bool has_fitting_version(const rows::RowOp& op, KeyId row,
                                         const rows::ShownRow* shown,
                                         const RowChanges& changes) const;

  /// Whether `fits` holds for a version of the row that the operation may concern.
  template <class Fits>
  [[nodiscard]] bool has_version(KeyId row, const RowChanges& changes, Fits fits) const {
    const auto past = past_.find(row);
    if (changes.contains(row)) {
      return fits(seen(row, changes));
    }
    return past == past_.end() ? fits(live_.find(row))
                               : std::ranges::any_of(past->second, [&](const auto& version) {
                                   return fits(version ? &*version : nullptr);
                                 });
  }

  /// Whether the row comes after as many rows as the limit.
  [[nodiscard]] bool is_beyond(const rows::RowOp& op, KeyId row) const;

  /// An operation with a predicate; it sees each row by itself, in an old or the current version.
  bool by_old_versions(const rows::RowOp& op, RowChanges& changes) const;

  /// An operation that wrote the rows that it found, which were not recorded: it wrote `taken`.
  bool write_taken(const rows::RowOp& op, const std::set<KeyId>& taken, RowChanges& changes) const;

  /// Whether the operation may have found the row, or have missed it.
  [[nodiscard]] bool may_be(const rows::RowOp& op, KeyId row, const RowChanges& changes,
                            bool is_found) const;

  /// The rows that ever existed, if they matter to the operation.
  [[nodiscard]] std::set<KeyId> rows_so_far(const rows::RowOp& op, const RowChanges& changes) const;

  /// Whether the operation may have found as many rows as its result says.
  [[nodiscard]] bool may_count(const rows::RowOp& op, const RowChanges& changes) const;

  /// Whether each row shown can be assigned to a different row, and whether each row that must be
  /// found can be assigned to a row shown. If both are possible, one assignment does both
  /// (Mendelsohn and Dulmage 1958).
  [[nodiscard]] bool may_find_bag(const rows::RowOp& op, const RowChanges& changes) const;

  /// The rows that match, own changes included, ascending.
  [[nodiscard]] std::vector<KeyId> matching(const rows::RowOp& op, const RowChanges& changes) const;

  [[nodiscard]] std::vector<KeyId> first_of(std::vector<KeyId> found, std::size_t count) const;

  [[nodiscard]] bool is_result(const rows::RowOp& op, const std::vector<KeyId>& found,
                               const RowChanges& changes) const;

  [[nodiscard]] bool is_bag(std::span<const rows::ShownRow> shown, const std::vector<KeyId>& found,
                            const RowChanges& changes) const;

  [[nodiscard]] std::optional<std::string> check_members() const;

  [[nodiscard]] std::optional<std::string> check_orders() const;

  [[nodiscard]] std::vector<TxnId> all_txns() const;

  [[nodiscard]] std::optional<std::string> check_sessions() const;

  [[nodiscard]] std::optional<std::string> check_real_time() const;

  const History& history_;
  const rows::Rows& rows_;
  OrderLevel level_;
  const Witness& witness_;
  LiveRows live_;
  bool is_repeatable_;      // predicates may concern old versions
  bool is_read_committed_;  // reads of single rows, too
  bool is_read_atomic_;
  std::unordered_map<KeyId, std::vector<std::optional<LiveRow>>> past_;  // of rows ever written
  std::map<std::pair<TxnId, std::uint32_t>, std::set<KeyId>> taken_;     // by operation
  std::map<TxnId, std::vector<ReadFrom>> reads_;                         // read atomic
  std::map<KeyId, Versions> versions_;                                   // read atomic
  RowChanges hidden_;  // rows of which the transaction sees another version
  std::map<TxnId, RowChanges> pending_;
  std::unordered_map<KeyId, TxnId> writing_;  // the rows of pending_, with their only writers
  std::vector<std::size_t> begun_;            // place in the order, by transaction
  std::vector<std::size_t> committed_;        // the same
};

}  // namespace elapid::certify
