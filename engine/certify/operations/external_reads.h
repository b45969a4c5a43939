// External reads of a transaction, at levels at which its reads need not see one state.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/ir/growing_vector.h"
#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/verdict/verdict.h"

namespace elapid::certify {

/// A read before any own write of the key, with a known result.
struct KeyRead {
  Op op;
  ValueId seen = ValueId::none();  ///< for a list: its last element that is not the reader's own
  std::uint32_t own = 0;           ///< the number of the reader's own elements at the list's end
  bool is_unwritten = false;  ///< no transaction's write can be the value seen: there is no such
                              ///< element, or another read shows the initial state's other name
  std::uint32_t mop = 0;      ///< index of the operation
};

/// In the order of operations. Nothing if a read contradicts the transaction's own operations and
/// the level forbids that. If reads of a key must agree, only the first is listed. O(operations log
/// operations and elements).
[[nodiscard]] std::optional<std::vector<KeyRead>> external_reads(const History& history, TxnId txn,
                                                                 OrderLevel level);

/// The same for one transaction after the other; reuses memory. Refers to the history.
class ExternalReads {
 public:
  ExternalReads(const History& history, OrderLevel level) : history_(history), level_(level) {}

  /// Valid until the next call.
  [[nodiscard]] std::optional<std::span<const KeyRead>> of(TxnId txn);

 private:
  const History& history_;
  OrderLevel level_;
  GrowingVector<KeyRead> found_;
  std::vector<ValueId> own_;
};

/// A read after own writes of the key that shows a value which no transaction can have written.
struct UnexplainedRead {
  TxnId reader;
  KeyId key;
};

/// Some levels demand nothing of reads after own writes of a key. But these reads must show
/// possible values: initial values, values that the reader had written before, values that a
/// transaction which did not abort left behind, or elements, not the last of the list, that such a
/// transaction appended. Returns the first read with another value of each transaction that did not
/// abort, in the order of transactions. Empty at other levels.
[[nodiscard]] std::vector<UnexplainedRead> unexplained_reads(const History& history,
                                                             const TxnLevels& levels);

/// Whether a read may show the initial state. It may not if a recorded initial transaction, which
/// comes before all others, wrote the key.
[[nodiscard]] bool may_be_initial(const History& history, const KeyRead& read);

/// The last value that a transaction wrote to a key; none() if it wrote none.
[[nodiscard]] ValueId final_value(const History& history, TxnId txn, KeyId key);

}  // namespace elapid::certify
