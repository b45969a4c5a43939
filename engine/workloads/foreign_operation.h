// Refuses a history with an operation that its workload does not know.
//
//   {:f :transfer}   expected :read and :write of causal-reverse, found :transfer (index 12)
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

/// The error about this operation of the transaction.
[[nodiscard]] inline Error foreign_operation(const History& history, TxnId txn, Op op,
                                             std::string_view expected) {
  const Event event = history.representative(txn);
  return {.message = "expected " + std::string(expected) + " of " +
                     std::string(history.workload().name()) + ", found " +
                     history.text(op.value()) + " (index " + std::to_string(event.index) + ")",
          .byte_offset = event.position.offset};
}

/// The error about the first operation that decode_other() made. `expected`: as ":read and :write".
/// O(n) for n operations.
[[nodiscard]] inline std::optional<Error> refuse_foreign_operation(const History& history,
                                                                   std::string_view expected) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const Op op : history.ops(txn)) {
      if (op.kind() == OpKind::kOther) {
        return foreign_operation(history, txn, op, expected);
      }
    }
  }
  return std::nullopt;
}

}  // namespace elapid
