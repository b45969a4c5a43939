// Histories whose operations are whole transactions: each has the time of its invocation and the
// time of its completion, instead of being one of two events.
#pragma once

#include <optional>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/jepsen/op_map.h"

namespace elapid {

/// A history keeps the form of its first operation.
class TraceForm {
 public:
  /// Error kMalformed: the operation has another form than earlier ones.
  Status check(const OpMap& op);

  /// Whether the operations are whole transactions. Known after the first check().
  [[nodiscard]] bool is_trace() const { return is_trace_.value_or(false); }

  /// Whether the operations are events.
  [[nodiscard]] bool is_of_events() const { return is_trace_ == false; }

  /// The transaction of a client's operation; its mops are borrowed. An indeterminate transaction
  /// without a completion has its beginning as its end: nothing is concluded from it. Error
  /// kMalformed: times that are missing or backwards, no process, or an invocation.
  static Result<TxnInput> transaction(const OpMap& op);

 private:
  std::optional<bool> is_trace_;
};

}  // namespace elapid
