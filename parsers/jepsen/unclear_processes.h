// Finds operations that a client must have carried out, but whose process is no client.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/ids.h"
#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// In Jepsen's histories a client's process is an integer, and any other is the nemesis's or the
/// like, whose operations count for nothing. One that has micro-operations, or the :f of a client,
/// is taken for neither: what it wrote would be missing.
class UnclearProcesses {
 public:
  /// Borrows the pool of the operations' values.
  explicit UnclearProcesses(const ValuePool& values) : values_(values) {}

  /// Looks at the next operation. What is wrong with it, or with one before it, if something is.
  [[nodiscard]] std::optional<Error> look_at(const OpMap& op);

 private:
  const ValuePool& values_;
  ValueId last_f_ = ValueId::none();           // of a client
  std::unordered_set<ValueId> clients_;        // functions
  std::unordered_map<ValueId, Error> others_;  // by function: what the first one would be
};

}  // namespace elapid
