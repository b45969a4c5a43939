// The external reads of a transaction at the levels at which its reads need not see one state.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// A read before any own write of the key, with a known result.
struct KeyRead {
  Op op;
  ValueId seen = ValueId::none();  ///< of a list its last element that is not the reader's own
  std::uint32_t own = 0;           ///< how many elements at the end of the list are its own
  bool is_unwritten = false;  ///< no transaction's write can be what was seen: there is no such
                              ///< element, or another read has the initial state's other name
  std::uint32_t mop = 0;      ///< index of the operation
};

/// In the order of operations; nothing if some read contradicts the transaction's own operations,
/// as far as the level minds. Where reads of a key must agree, only the first is listed.
/// O(operations log operations and elements).
[[nodiscard]] std::optional<std::vector<KeyRead>> external_reads(const History& history, TxnId txn,
                                                                 OrderLevel level);

/// The same of one transaction after the other, in memory that it keeps. Refers to the history.
class ExternalReads {
 public:
  ExternalReads(const History& history, OrderLevel level) : history_(history), level_(level) {}

  /// Valid until the next one is asked for.
  [[nodiscard]] std::optional<std::span<const KeyRead>> of(TxnId txn);

 private:
  const History& history_;
  OrderLevel level_;
  std::vector<KeyRead> found_;
  std::vector<ValueId> own_;
};

/// A read behind own writes of the key that shows what no transaction can have written.
struct UnexplainedRead {
  TxnId reader;
  KeyId key;
};

/// Where a level says nothing of reads after own writes of a key, these must still show what some
/// transaction may have written: initial values, values that the reader had written before, values
/// that a transaction left behind which did not abort, or elements, not the last of the list, that
/// such a transaction appended. Returns the first read that does not, for each transaction that did
/// not abort, in the order of transactions. Empty at other levels.
[[nodiscard]] std::vector<UnexplainedRead> unexplained_reads(const History& history,
                                                             const TxnLevels& levels);

/// Whether a read may show the initial state: not if a recorded initial transaction, which comes
/// before all others, wrote the key.
[[nodiscard]] bool may_be_initial(const History& history, const KeyRead& read);

/// The last value that a transaction wrote to a key; none() if it did not.
[[nodiscard]] ValueId final_value(const History& history, TxnId txn, KeyId key);

}  // namespace elapid::certify
