// The states of a row that pending transactions must find, and the writers that can have left them.
//
// A result may show a version of a row, or a value that only one operation wrote into that column
// of that row: a fact. The fact holds from that write until the next write of the row, and never
// comes back. So no transaction may end it while another reader waits. If no transaction wrote it,
// no order explains the read. An operation that wrote all rows that its predicate matched counts as
// a writer, too, if it alone wrote the value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/hash_index.h"
#include "engine/ir/history.h"
#include "engine/replay/carry_out.h"
#include "engine/replay/table_state.h"
#include "engine/rows/rows.h"

namespace elapid::replay {

class Needs {
 public:
  /// The needs of the committed transactions. Near linear in the written and the shown values.
  explicit Needs(const History& history);

  /// A committed transaction with a read that no order explains.
  [[nodiscard]] std::optional<TxnId> impossible() const { return impossible_; }

  /// Calls `take(number, writer)` for each fact that the transaction needs: the fact's number, and
  /// the only transaction that wrote it.
  template <class Take>
  void each_need(TxnId txn, Take take) const {
    for (const std::uint32_t number : needed_by(txn)) {
      take(number, sources_[number].writer);
    }
  }

  /// The rows that an operation certainly wrote although its result does not list them: it alone
  /// wrote a value that a read shows. `place`: of the operation in History::all_ops().
  [[nodiscard]] std::span<const KeyId> rows_written_by(std::size_t place) const {
    const auto found = unnamed_writes_.find(place);
    return found == unnamed_writes_.end() ? std::span<const KeyId>() : found->second;
  }

  /// The number of facts.
  [[nodiscard]] std::size_t count() const { return sources_.size(); }

  /// The row of a fact.
  [[nodiscard]] KeyId row(std::uint32_t number) const { return sources_[number].fact.row; }

  /// The column of a fact; none() for a version.
  [[nodiscard]] rows::ColumnId column(std::uint32_t number) const {
    return sources_[number].fact.column;
  }

  /// The transaction has read: its needs are met.
  void settle(TxnId txn) { change(txn, -1); }

  /// Undoes settle().
  void unsettle(TxnId txn) { change(txn, 1); }

  /// The same for one operation, by its place in History::all_ops().
  void settle(std::size_t place) { change(place, place + 1, -1); }

  void unsettle(std::size_t place) { change(place, place + 1, 1); }

  /// The last invocation of a transaction that needs a fact about the row in this state which the
  /// operation would end; nothing if there is none.
  [[nodiscard]] std::optional<EventId> last_read(const rows::RowOp& op, KeyId row,
                                                 const RowState& state) const;

  /// The last invocation of a transaction that needs a fact about the row in this state which every
  /// write of the row ends; nothing if there is none.
  [[nodiscard]] std::optional<EventId> last_reader(KeyId row, const RowState& state) const;

  /// Whether these effects end a fact that a waiting reader still needs, or a row that one needs
  /// alive.
  [[nodiscard]] bool would_end(const TableState& table, const Effects& effects) const;

 private:
  /// A version of a row (column: none()), or a value in one of its columns.
  struct Fact {
    KeyId row;
    rows::ColumnId column;
    ValueId what;
    friend bool operator==(const Fact&, const Fact&) = default;
  };

  [[nodiscard]] static Fact version_fact(const rows::ShownRow& shown) {
    return {shown.row, rows::ColumnId::none(), shown.version};
  }

  struct Source {
    Fact fact;
    TxnId writer = TxnId::none();  ///< the only transaction that may have written it
    std::uint32_t last_write = 0;  ///< number of the operation
    bool has_many_writes = false;
    bool is_last = false;                     ///< no later operation of the writer writes the row
    bool is_unnamed = false;                  ///< its predicate found the row
    std::optional<EventId> last_reader = {};  ///< the last invocation of another reader
  };

  /// An operation that writes the rows that its predicate matches.
  struct Unnamed {
    TxnId writer;
    std::uint32_t number = 0;  ///< of the operation
    bool is_only = true;       ///< no other operation writes the value by a predicate
    bool is_named = false;     ///< its result lists the rows
  };

  /// The numbers of waiting operations that need the row alive, and that insert or put it.
  struct Life {
    std::int32_t users = 0;
    std::int32_t makers = 0;
  };

  void note_what_is_shown();
  void note_what_is_always_written();
  void note_writes(TxnId txn);
  void note_write(TxnId txn, const rows::RowOp& op, std::uint32_t number);
  void note_reads(TxnId txn, const rows::RowOp& op);
  void note_versions(TxnId txn, std::span<const rows::ShownRow> shown);
  void note_read(TxnId txn, const Fact& fact);
  void note_unnamed(TxnId txn, const Fact& fact);
  [[nodiscard]] bool is_final(TxnId writer, const Fact& fact, const Source& source) const;
  void change(TxnId txn, std::int32_t by);
  void change(std::size_t begin, std::size_t end, std::int32_t by);
  void change_lives(const rows::RowOp& op, std::size_t place, std::int32_t by);
  [[nodiscard]] static std::uint32_t hash(const Fact& fact);
  [[nodiscard]] std::uint32_t find(const Fact& fact) const;
  void need(TxnId txn, std::uint32_t number);
  template <class Holds>
  [[nodiscard]] bool any_fact(KeyId row, const RowState& state, Holds holds) const;
  [[nodiscard]] std::span<const std::uint32_t> needed_by(TxnId txn) const;
  [[nodiscard]] std::span<const std::uint32_t> needed_from(std::size_t begin,
                                                           std::size_t end) const;

  const History& history_;
  const rows::Rows& rows_;
  bool shows_versions_ = false;
  std::vector<bool> shows_column_;
  std::vector<bool> is_always_written_;  // by column: each write of a row writes it
  HashIndex numbers_;
  std::vector<Source> sources_;         // by number of the fact
  std::vector<std::int32_t> waiting_;   // by number of the fact: reads that wait
  std::vector<std::uint32_t> last_op_;  // by row: the last write of the current transaction
  // By value: the operations that wrote it into the rows that a predicate matched.
  std::map<std::pair<rows::ColumnId, ValueId>, Unnamed> by_predicate_;
  std::unordered_map<std::size_t, std::vector<KeyId>> unnamed_writes_;  // rows_written_by()
  bool has_unnamed_versions_ = false;    // an update by a predicate wrote versions
  std::vector<std::size_t> need_begin_;  // by place of the operation, and the end
  std::vector<std::uint32_t> needs_;     // numbers of facts, one for each read
  std::vector<Life> lives_;              // by KeyId
  std::optional<TxnId> impossible_;
};

}  // namespace elapid::replay
