// The elements of other transactions in a list read: all elements but those that the reader had
// appended before.
//
// Own elements stand at the end of the list that a transaction sees. They may stand elsewhere after
// its commit, so they say nothing of the order of versions (docs/levels.md).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/history.h"

namespace elapid::certify {

/// Takes the operations of one transaction after the other. 32 bytes a key.
class OthersElements {
 public:
  /// `with_own`: lists stay whole, as in Elle.
  OthersElements(const History& history, bool with_own)
      : history_(history), with_own_(with_own), own_(with_own ? 0 : history.key_count()) {}

  /// Takes the next operation of the transaction. For a list read: its elements of other
  /// transactions, or nothing if it does not end in the reader's own. Nothing for other operations.
  [[nodiscard]] std::optional<std::span<const ValueId>> next(TxnId txn, Op op);

 private:
  struct Own {
    TxnId txn = TxnId::none();
    std::vector<ValueId> elements;
  };

  const History& history_;
  bool with_own_;
  std::vector<Own> own_;  // by key: the elements that the current transaction has appended
};

/// The same for one operation; nothing if there is none with this number.
[[nodiscard]] std::optional<std::span<const ValueId>> others_elements(const History& history,
                                                                      TxnId reader,
                                                                      std::int64_t mop,
                                                                      bool with_own);

}  // namespace elapid::certify
