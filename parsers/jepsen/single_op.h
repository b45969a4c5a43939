// Operations outside of transactions: `{:f :cas, :value [1 2]}`, as in Knossos and in most of
// Jepsen's tests.
//
// The history's workload defines their meaning (DecodeCall in engine/workloads/table.h). If it
// does not, each becomes one operation of kind kOther with the name of its :f, without the
// value.
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

/// The functions with a meaning here.
struct OpFunctions {
  explicit OpFunctions(ValuePool& values)
      : txn(values.intern(":txn")), read(values.intern(":read")) {}

  ValueId txn;
  ValueId read;

  /// Whether an operation with this :f may be something other than a transaction.
  [[nodiscard]] bool is_named(ValueId f) const { return !f.is_nil() && !f.is_none() && f != txn; }

  /// Whether this operation may be a client's although it has no process.
  [[nodiscard]] bool is_orphan(const OpMap& op) const {
    return op.process_kind == ProcessKind::kAbsent && is_named(op.f) && !op.begins_mops;
  }
};

/// Turns single operations into micro-operations.
class SingleOps {
 public:
  /// Borrows `values`. With `elle_compat`, an absent :value is nil, as in Jepsen.
  SingleOps(ValuePool& values, Workload workload, bool elle_compat)
      : values_(values),
        functions_(values),
        decode_(row_of(workload).decode),
        has_own_values_(workload.has_own_values()),
        has_singles_(decode_ != nullptr || workload == Workload::kOther),
        elle_compat_(elle_compat) {}

  struct Adoption {
    bool is_adopted = false;  ///< the operation got a process
    /// It may complete a later invocation, and real time tells which one.
    bool is_unclear = false;
  };

  /// Gives a process to a single operation that has none: that of the first open invocation of the
  /// same function and value, else of one that asked with nil (as all of :read), else a new one.
  /// Ignores an :info without an invocation, which is a nemesis's. Must be given all operations of
  /// clients.
  Adoption adopt(OpMap& op);

  /// True if this operation of a client is single, and no transaction. In a history of
  /// transactions, nil means a transaction without operations, with any :f.
  [[nodiscard]] bool is_single(const OpMap& op) const;

  /// Replaces the mops of an operation that is_single(). Error: kMalformed with a byte offset for
  /// an operation that the workload cannot interpret, and for a value that cannot be identified
  /// (too deep).
  Status convert(OpMap& op);
  /// As convert(), for an operation that is also its own invocation.
  Status convert_whole(OpMap& op);

 private:
  Status decode(OpMap& op);
  static Status name_only(OpMap& op);

  ValuePool& values_;
  OpFunctions functions_;
  DecodeCall decode_;
  bool has_own_values_;  // there are no transactions, for any :f
  bool has_singles_;     // nil or an empty vector may be a single operation's value
  bool elle_compat_;
  std::unordered_map<std::int64_t, std::vector<MopInput>, SeededHash> invoked_;  // by process

  // The made-up process of an open invocation, and how many operations were :ok before it.
  struct Adopted {
    std::int64_t process;
    std::uint64_t oks;
  };

  std::unordered_map<std::string, std::deque<Adopted>, SeededHash> adopted_;  // by f and value
  std::uint64_t oks_ = 0;
  std::int64_t next_adopted_ = kFirstMadeUpProcess;
};

}  // namespace elapid
