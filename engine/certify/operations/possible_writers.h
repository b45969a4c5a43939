// The transactions that may have written a value read, at levels at which a transaction's reads
// need not see one state.
#pragma once

#include <optional>
#include <vector>

#include "engine/certify/operations/external_reads.h"
#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// The last writes of all transactions, except those that aborted or contradict themselves. 12
/// bytes a write. Refers to the history.
class PossibleWriters {
 public:
  PossibleWriters(const History& history, const TxnLevels& levels);

  /// The external reads of a transaction, in the order of its operations. Nothing if it contradicts
  /// itself, read a value that no transaction can have written, or aborted.
  [[nodiscard]] std::optional<std::vector<KeyRead>> reads(TxnId txn) const;

  /// The transactions whose write the read may have seen; none() for the initial state.
  [[nodiscard]] std::vector<TxnId> of(TxnId reader, const KeyRead& read) const;

  [[nodiscard]] bool writes(TxnId txn, KeyId key) const {
    return !final_value(history_, txn, key).is_none();
  }

 private:
  struct Write {
    KeyId key;
    ValueId value;
    TxnId txn;
    friend auto operator<=>(const Write&, const Write&) = default;
  };

  const History& history_;
  TxnLevels levels_;
  std::vector<TxnId> impossible_;  // they read what no transaction can have written; sorted
  std::vector<Write> writes_;      // sorted
};

}  // namespace elapid::certify
