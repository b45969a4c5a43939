// The elements of other transactions in a list read: all but the elements that the reader had
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

/// Walks the operations of one transaction after the other. 32 bytes a key.
class OthersElements {
 public:
  /// `with_own`: lists are taken whole, as Elle takes them.
  OthersElements(const History& history, bool with_own)
      : history_(history), with_own_(with_own), own_(with_own ? 0 : history.key_count()) {}

  /// The next operation of the transaction. Of a list that was read, what it shows of others;
  /// nothing if it does not end in what the reader had appended, and for other operations.
  [[nodiscard]] std::optional<std::span<const ValueId>> next(TxnId txn, Op op);

 private:
  struct Own {
    TxnId txn = TxnId::none();
    std::vector<ValueId> elements;
  };

  const History& history_;
  bool with_own_;
  std::vector<Own> own_;  // by key: what the transaction at hand has appended
};

/// The same of one operation; nothing if there is none of that number.
[[nodiscard]] std::optional<std::span<const ValueId>> others_elements(const History& history,
                                                                      TxnId reader,
                                                                      std::int64_t mop,
                                                                      bool with_own);

}  // namespace elapid::certify
