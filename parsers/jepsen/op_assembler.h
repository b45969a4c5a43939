// Makes a History of operation maps of any syntax.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/ir/history.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/nemesis.h"
#include "engine/ir/result.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/jepsen/packed_ops.h"
#include "parsers/jepsen/row_events.h"
#include "parsers/jepsen/single_op.h"
#include "parsers/jepsen/trace_form.h"
#include "parsers/jepsen/unclear_processes.h"
#include "parsers/options.h"

namespace elapid {

/// Whether the operation is a client's: its process is an integer, or it has none and its value
/// consists of micro-operations.
[[nodiscard]] bool is_client(const OpMap& op);

/// The kept part of an operation of a named process, with values of `values`.
[[nodiscard]] NemesisEvent nemesis_event(const OpMap& op, const ValuePool& values);

/// Errors of all functions have byte offsets.
class OpAssembler {
 public:
  /// Borrows `options`. The operations are those of `workload`.
  OpAssembler(const ReadOptions& options, Workload workload);

  [[nodiscard]] ValuePool& values() { return builder_.values(); }

  /// See HistoryBuilder.
  void expect_bytes(std::uint64_t bytes) { builder_.expect_bytes(bytes); }

  /// Adds a remark at a byte offset.
  void remark(Remark::Kind kind, std::uint64_t offset, std::string message);

  /// Adds the next operation, with values of values(). Its mops get their keys.
  Status add(OpMap& op);

  /// Adds operations of a piece.
  Status add(PackedOps& ops);

  /// The history of all operations, with the rules of Jepsen's formats. Error: kMalformed if there
  /// were none; kUsage for an initial value that is not EDN.
  Result<History> finish(HistoryInfo info) &&;

 private:
  [[nodiscard]] bool is_usual(const OpMap& op) const;
  Status add(const PackedOp& op, std::span<MopInput> mops, std::span<const ValueId> elements);
  Status add_client(OpMap& op);
  Status set_mops(OpMap& op);
  [[nodiscard]] std::optional<Error> unknown_operation(const OpMap& op) const;
  Status refuse(Remark::Kind kind, Error error);
  void set_keys(std::span<MopInput> mops);
  [[nodiscard]] TxnWords::Number level_of(ValueId level);
  [[nodiscard]] TxnWords::Number name_of(ValueId f);
  Status add_event(const OpMap& op);
  Status add_transaction(const OpMap& op);
  Status adopt(OpMap& op);
  Status skip(const OpMap& op);

  const ReadOptions& options_;
  Workload workload_;
  HistoryBuilder builder_;
  UnclearProcesses unclear_processes_;
  SingleOps single_ops_;
  std::optional<RowEvents> row_events_;  // in a history of rows
  TraceForm trace_form_;
  bool is_empty_ = true;
  bool has_adopted_ = false;
  std::uint64_t with_extras_ = 0;  // clients' operations
  std::optional<ValueId> f_;       // of all clients' operations so far
  // The words of the last look-up.
  ValueId level_ = ValueId::nil();
  ValueId name_ = ValueId::nil();
  TxnWords::Number level_number_ = TxnWords::kNone;
  TxnWords::Number name_number_ = TxnWords::kNone;
  OpMap unpacked_;
};

}  // namespace elapid
