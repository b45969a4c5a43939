// Histories whose operations are whole transactions: each tells when it was invoked and when it
// completed, instead of being one of two events.
#pragma once

#include <optional>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// A history has the form of its first operation throughout.
class TraceForm {
 public:
  /// Error kMalformed: the operation is of the other form than those before.
  Status check(const OpMap& op);

  /// Whether the operations are whole transactions. Known after the first check().
  [[nodiscard]] bool is_trace() const { return is_trace_.value_or(false); }

  /// The same for events.
  [[nodiscard]] bool is_of_events() const { return is_trace_ == false; }

  /// The transaction that a client's operation is; its mops are borrowed. Of an indeterminate one
  /// that never completed the end is its beginning: nothing is concluded from it. Error kMalformed:
  /// times that are missing or backwards, no process, or an invocation.
  static Result<TxnInput> transaction(const OpMap& op);

 private:
  std::optional<bool> is_trace_;
};

}  // namespace elapid
