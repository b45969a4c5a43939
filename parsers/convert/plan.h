// The plan for a history in another format: the transactions with their outcomes, the numbers of
// keys and values, and the losses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/convert/initial_state.h"
#include "parsers/convert/numbering.h"
#include "parsers/convert/target.h"
#include "parsers/convert/written_values.h"
#include "parsers/options.h"

namespace elapid {

/// A letter of docs/conversion.md: upper case for a loss, lower case for an addition.
struct Loss {
  char letter = 'E';
  std::uint64_t count = 0;
  std::string what = {};  ///< the counted parts, with their fate: `aborted transactions left out`
  bool changes_verdict = false;  ///< it may change one, so users must accept it

  [[nodiscard]] bool is_made_up() const { return letter >= 'a' && letter <= 'z'; }

  /// Of little interest: an addition that every history in the format has, ids.
  [[nodiscard]] bool is_trivial() const { return letter == 'x'; }
};

/// A written transaction.
struct PlannedTxn {
  TxnId txn = {};  ///< none(): the initial transaction, made up
  std::int64_t session = 0;
  std::uint32_t place = 0;  ///< in its session, from 0
  TxnStatus status = TxnStatus::kCommitted;
};

/// The transactions of a session, a range of Plan::txns(); only if they are contiguous.
struct PlannedSession {
  std::int64_t name = 0;
  std::span<const PlannedTxn> txns = {};
};

/// A written operation. Numbers are set if the format wants numbers.
struct PlannedOp {
  OpKind kind = OpKind::kRead;
  KeyId key = {};
  ValueId value = {};       ///< not for kReadList
  bool is_initial = false;  ///< a read of the initial state, or a write that restores it
  bool is_asked = false;    ///< of kRow: without its result
  std::int64_t key_number = 0;
  std::int64_t value_number = 0;  ///< 0 for the initial state
  std::span<const ValueId> elements = {};
};

/// The facts of an event beyond the history, read again from its source.
using EventDetailsFn = std::function<Result<EventDetails>(SourcePosition)>;

/// The facts about a history outside the history.
struct PlanSource {
  EventDetailsFn details = {};  ///< for formats with further fields of events; absent: lost
  bool has_header = false;      ///< Format::has_header of the source's format
};

/// Borrows the history, which must outlive the plan.
class Plan {
 public:
  /// Time O(n log n) in operations. Error kUsage if the format cannot hold the essence of the
  /// history: its kind of operations, or repeated values that reads saw.
  static Result<Plan> make(const History& history, Workload workload, const Target& target,
                           PlanSource source = {});

  [[nodiscard]] const History& history() const { return *history_; }

  [[nodiscard]] const Target& target() const { return *target_; }

  [[nodiscard]] Workload workload() const { return workload_; }

  /// Absent if there are no facts beyond the history.
  [[nodiscard]] const EventDetailsFn& details() const { return source_.details; }

  /// Whether operations are written as in the source: those outside of transactions, whose values
  /// have any shape.
  [[nodiscard]] bool copies_values() const;

  /// Whether JSON's "empty", which says that a queue held nothing, becomes `:empty`.
  [[nodiscard]] bool renames_empty() const { return renames_empty_; }

  /// The transactions in the order of writing.
  [[nodiscard]] std::span<const PlannedTxn> txns() const { return txns_; }

  /// The sessions, in a format with `by_session`, in order of their first transactions.
  [[nodiscard]] std::vector<PlannedSession> sessions() const;

  /// Sets `out` to the operations of a transaction as they are written.
  void ops(const PlannedTxn& txn, std::vector<PlannedOp>& out) const;

  /// Sets `out` to operations as they were invoked, in a format with invocations.
  void invoked_ops(std::span<const Op> invoked, std::vector<PlannedOp>& out) const;

  /// The number of an element of a list.
  [[nodiscard]] std::int64_t value_number(ValueId value) const { return values_.number(value); }

  /// The losses of the conversion, then the additions.
  [[nodiscard]] const std::vector<Loss>& losses() const { return losses_; }

  [[nodiscard]] const Numbering& key_numbers() const { return keys_; }

  [[nodiscard]] const Numbering& value_numbers() const { return values_; }

  /// Numbers of columns, if the format has any; a column without a name is that of nil.
  [[nodiscard]] const Numbering& column_numbers() const { return columns_; }

  /// Writes with numbers of their own because their values repeat: operation -> number.
  [[nodiscard]] const std::unordered_map<std::uint32_t, std::int64_t>& write_numbers() const {
    return write_numbers_;
  }

  /// Session numbers that are not the history's own, by session.
  [[nodiscard]] const std::vector<std::int64_t>& session_numbers() const { return sessions_; }

  [[nodiscard]] bool sessions_are_renumbered() const { return renumbers_sessions_; }

  /// Whether the transaction has the initial contents of rows.
  [[nodiscard]] bool is_contents(TxnId txn) const {
    return workload_ == Workload::kRows && txn == history_->info().initial_txn;
  }

  /// Whether keys keep their names, which are words; in formats with has_key_names.
  [[nodiscard]] bool keeps_key_names() const { return keeps_key_names_; }

  /// The initial value, if the format must declare it because all values stand for themselves.
  [[nodiscard]] std::optional<ValueId> declared_initial() const;

  /// The writers of each value.
  [[nodiscard]] const WrittenValues& written() const { return written_; }

  /// The number of keys with a written operation. O(operations).
  [[nodiscard]] std::size_t count_planned_keys() const;

 private:
  Plan(const History& history, Workload workload, const Target& target);

  // plan.cc
  [[nodiscard]] Status check_workload() const;
  [[nodiscard]] Status check_rows() const;
  [[nodiscard]] Status check_rest() const;
  void number_sessions();
  [[nodiscard]] bool is_named(SessionId session) const;
  void choose_txns();
  void put_aborted_last();
  void avoid_initial_look();
  [[nodiscard]] bool looks_initial(const PlannedTxn& txn, std::size_t keys) const;
  Status number_values();
  void number_rows();
  [[nodiscard]] std::span<const std::int64_t> reserved_numbers(bool zero_is_taken) const;
  [[nodiscard]] std::vector<ValueId> used_values() const;
  [[nodiscard]] PlannedOp planned(Op op, std::size_t place) const;
  [[nodiscard]] std::int64_t number_of(const PlannedOp& op, std::size_t place) const;
  [[nodiscard]] bool keeps_initial_txn() const;
  [[nodiscard]] bool is_multi_register() const;
  [[nodiscard]] bool names_initial() const;
  [[nodiscard]] bool must_rename_empty() const;
  [[nodiscard]] NilReads nil_reads() const;
  void find_initial_state();
  using OwnWrites = std::vector<std::pair<TxnId, ValueId>>;  // by key: last writer, value
  void note_initial_state(TxnId txn, OwnWrites& own);
  [[nodiscard]] bool is_written(TxnId txn, Op op) const;

  // plan_statuses.cc
  void choose_statuses();
  [[nodiscard]] std::vector<bool> observed_txns() const;
  [[nodiscard]] bool has_written_op(TxnId txn) const;

  // plan_repeats.cc
  Status number_repeats();
  using Pairs = std::unordered_set<std::uint64_t, SeededHash>;  // of key and value
  [[nodiscard]] Status refuse_repeats_read() const;
  [[nodiscard]] std::optional<ValueId> ambiguous_value(const PlannedOp& read,
                                                       const Pairs& repeated) const;
  [[nodiscard]] std::vector<WrittenValues::Write> kept_writes() const;

  // plan_losses.cc
  void count_losses();
  void count_lost_txns();
  [[nodiscard]] std::uint64_t timestamped() const;
  void count_lost_order();
  void count_lost_names();
  [[nodiscard]] bool names_its_register() const;
  void count_lost_types();
  void count_lost_row_types();
  void count_lost_rows();
  void count_lost_values();
  void count_lost_initial(std::uint64_t reads);
  void count_lost_context();
  void count_made_up();
  [[nodiscard]] std::uint64_t misread_aborted() const;
  [[nodiscard]] std::uint64_t failed_cas() const;
  [[nodiscard]] std::uint64_t own_reads() const;
  [[nodiscard]] std::uint64_t open_cas() const;
  [[nodiscard]] std::uint64_t unknown_reads() const;
  [[nodiscard]] bool mixes_sessions() const;
  [[nodiscard]] bool has_kept_writer(const PlannedOp& read) const;
  void lose(char letter, std::uint64_t count, std::string what, bool changes_verdict = false);

  const History* history_;
  const Target* target_;
  Workload workload_;
  PlanSource source_ = {};
  WrittenValues written_;
  std::vector<PlannedTxn> txns_ = {};
  std::vector<std::int64_t> sessions_ = {};  // by SessionId
  bool renumbers_sessions_ = false;
  bool makes_initial_txn_ = false;
  bool renames_empty_ = false;
  std::vector<TxnStatus> status_ = {};
  std::vector<bool> is_kept_ = {};
  InitialState initial_ = {};
  bool keeps_key_names_ = false;
  Numbering keys_ = {};
  Numbering columns_ = {};
  Numbering values_ = {};
  std::unordered_map<std::uint32_t, std::int64_t> write_numbers_ = {};
  std::vector<Loss> losses_ = {};
};

}  // namespace elapid
