// Operations that are no transactions: `{:f :cas, :value [1 2]}`, as Knossos and most of Jepsen's
// tests have them.
//
// What they mean is the business of the history's workload (DecodeCall in
// engine/workloads/table.h). Where it does not say, each becomes one operation of kind kOther with
// the name of its :f, without the value.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/made_up_process.h"
#include "engine/ir/result.h"
#include "engine/ir/seeded_hash.h"
#include "engine/workloads/table.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/options.h"

namespace elapid {

/// The functions that mean something here.
struct OpFunctions {
  explicit OpFunctions(ValuePool& values)
      : txn(values.intern(":txn")), read(values.intern(":read")) {}

  ValueId txn;
  ValueId read;

  /// Whether an operation with this :f may be something else than a transaction.
  [[nodiscard]] bool is_named(ValueId f) const { return !f.is_nil() && !f.is_none() && f != txn; }

  /// Whether this operation, which has no process, may be one of a client all the same.
  [[nodiscard]] bool is_orphan(const OpMap& op) const {
    return op.process_kind == ProcessKind::kAbsent && is_named(op.f) && !op.begins_mops;
  }
};

/// Turns single operations into micro-operations.
class SingleOps {
 public:
  /// Borrows `values`.
  SingleOps(ValuePool& values, Workload workload)
      : values_(values),
        functions_(values),
        decode_(row_of(workload).decode),
        has_own_values_(workload.has_own_values()),
        has_singles_(decode_ != nullptr || workload == Workload::kOther) {}

  /// Gives a process to a single operation that has none: that of the first open invocation of the
  /// same function (and, unless it reads, the same value), else a new one. Leaves alone an :info
  /// without an invocation, which is a nemesis's. True if it gave one.
  bool adopt(OpMap& op);

  /// True if this operation of a client is a single one, and no transaction. In a history of
  /// transactions, nil stands for a transaction without operations whatever the :f is.
  [[nodiscard]] bool is_single(const OpMap& op) const;

  /// Replaces the mops of an operation that is_single(). Error: kMalformed with a byte offset for
  /// what the workload cannot make sense of, and for a value that cannot be told from others (too
  /// deep).
  Status convert(OpMap& op);
  /// The same for an operation that is its invocation as well.
  Status convert_whole(OpMap& op);

 private:
  Status decode(OpMap& op);
  static Status name_only(OpMap& op);

  ValuePool& values_;
  OpFunctions functions_;
  DecodeCall decode_;
  bool has_own_values_;  // there are no transactions, whatever :f says
  bool has_singles_;     // nil, or an empty vector, may be a single operation's value
  std::unordered_map<std::int64_t, std::vector<MopInput>, SeededHash> invoked_;  // by process
  // Made-up processes of open invocations, by function and value.
  std::unordered_map<std::string, std::deque<std::int64_t>, SeededHash> adopted_;
  std::int64_t next_adopted_ = kFirstMadeUpProcess;
};

}  // namespace elapid
