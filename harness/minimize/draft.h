// A history that can be edited: transactions as plain lists of operations. Conversions from and to
// a History.
//
// ```cpp
// const History whole = list_history("ax1; ax2; rx12");
// Draft draft = draft_of(whole);
// draft.txns.erase(draft.txns.begin() + 1);           // the append of 2 ...
// draft.edit(1).mops[0].elements.pop_back();          // ... and what the read saw of it
// const Result<BuiltDraft> built = build(draft);
// CHECK(built.value().history.txn_count() == 2);
// CHECK(built.value().origins[1] == TxnId{2});        // the read was transaction 2 of `whole`
// ```
//
// Copies of a draft share transactions until one of the copies edits them. So a copy costs a
// pointer a transaction. Values belong to the history that the draft was taken from, which must
// outlive the draft.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "harness/minimize/row_draft.h"

namespace elapid {

/// A micro-operation.
struct DraftMop {
  OpKind kind = OpKind::kRead;
  KeyId key = {};
  ValueId value = ValueId::nil();                 ///< not of kReadList
  std::vector<ValueId> elements = {};             ///< of kReadList
  std::shared_ptr<const DraftRowOp> row_op = {};  ///< of kRow; null for others

  friend bool operator==(const DraftMop& a, const DraftMop& b) {
    const bool has_same_row_op =
        a.row_op == b.row_op || (a.row_op && b.row_op && *a.row_op == *b.row_op);
    return has_same_row_op && a.kind == b.kind && a.key == b.key && a.value == b.value &&
           a.elements == b.elements;
  }

  [[nodiscard]] bool is_read() const { return kind == OpKind::kRead || kind == OpKind::kReadList; }

  [[nodiscard]] bool is_write() const { return kind == OpKind::kWrite || kind == OpKind::kAppend; }
};

/// An invocation or a completion. Its place orders all events of the draft; gaps are allowed.
struct DraftEnd {
  std::int64_t place = 0;
  std::optional<std::int64_t> index = {};  ///< Jepsen's index; all events have one, or none
  std::optional<std::int64_t> time = {};
  SourcePosition position = {};
};

struct DraftTxn {
  TxnId origin = {};  ///< the transaction in the original history
  std::int64_t session = 0;
  TxnStatus status = TxnStatus::kCommitted;
  std::string level = {};  ///< the level that it asked for (History::levels()); or empty
  std::optional<DraftEnd> invocation = {};
  std::optional<DraftEnd> completion = {};
  std::optional<std::int64_t> start_timestamp = {};
  std::optional<std::int64_t> commit_timestamp = {};
  std::vector<DraftMop> mops = {};
  /// The operations as invoked, if they differ from `mops`.
  std::optional<std::vector<DraftMop>> invoked = {};
};

struct Draft {
  const ValuePool* values = nullptr;  ///< of the history that the draft was taken from
  HistoryInfo info = {};  ///< initial_txn: a transaction's origin, not its place in the draft
  /// The keys as EDN, by KeyId. Empty for rows: their keys are in `info.rows`, which belongs to the
  /// whole history.
  std::vector<std::string> key_names = {};
  std::vector<std::shared_ptr<const DraftTxn>> txns = {};  ///< those of a session in order

  /// The transaction, for editing: copies it if other drafts share it.
  DraftTxn& edit(std::size_t txn);

  [[nodiscard]] std::size_t op_count() const;

  /// A hash. Drafts that build the same history, except for source positions, have equal ones.
  [[nodiscard]] std::uint64_t fingerprint() const;
};

/// Makes a draft of all transactions of a history, or of some in ascending order. Linear in their
/// operations and the elements read.
[[nodiscard]] Draft draft_of(const History& history);
[[nodiscard]] Draft draft_of(const History& history, std::span<const TxnId> txns);

struct BuiltDraft {
  History history;
  std::vector<TxnId> origins;  ///< by transaction of `history`
};

/// Builds the draft's history. Errors: those of the builder.
[[nodiscard]] Result<BuiltDraft> build(const Draft& draft);

}  // namespace elapid
