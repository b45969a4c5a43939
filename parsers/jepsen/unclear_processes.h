// Finds operations that a client must have carried out, but whose process is no client.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/ids.h"
#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "engine/workloads/table.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// In Jepsen's histories a client's process is an integer. Any other process is, for example, the
/// nemesis's, and its operations are ignored. An operation with micro-operations, of the workload,
/// or with a client's :f, must not be ignored: its writes would be missing. Where a workload
/// decodes an operation of its own to its name alone, as the :drain of a queue or an :acquire
/// without a value, only a client's :f tells that it is one.
class UnclearProcesses {
 public:
  /// Borrows the pool of the operations' values.
  UnclearProcesses(const ValuePool& values, Workload workload)
      : values_(values), decode_(row_of(workload).decode) {}

  /// Only clients have operations with this :f, even if none has been seen.
  void add_function(ValueId f) { clients_.insert(f); }

  /// Looks at the next operation. Returns the error of this or of an earlier operation, if any.
  [[nodiscard]] std::optional<Error> look_at(const OpMap& op);

 private:
  [[nodiscard]] bool is_of_workload(const OpMap& op) const;

  const ValuePool& values_;
  DecodeCall decode_;
  ValueId last_f_ = ValueId::none();           // of a client
  std::unordered_set<ValueId> clients_;        // functions
  std::unordered_map<ValueId, Error> others_;  // by function: the error of the first one
};

}  // namespace elapid
