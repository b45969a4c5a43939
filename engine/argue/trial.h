// All transactions carried out in an order, right or wrong, and what they do not find as they did.
#ifndef ELAPID_ENGINE_ARGUE_TRIAL_H_
#define ELAPID_ENGINE_ARGUE_TRIAL_H_

#include <cstdint>
#include <span>
#include <vector>

#include "engine/argue/row_parts.h"
#include "engine/ir/history.h"
#include "engine/replay/table_state.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid::argue {

/// An operation that did not find what it did, because these were the last to write these parts; or
/// two transactions that overlap and write a row.
struct Failure {
  TxnId txn;
  std::uint32_t mop = 0;
  std::vector<LastWriter> causes = {};
  TxnId other = TxnId::none();  ///< of an overlap
  KeyId row = KeyId::none();
};

/// At most `most` failures, the first ones. `order` holds the events of all that take effect; of a
/// transaction with two events both. Linear in the operations and what they match.
[[nodiscard]] std::vector<Failure> try_order(const History& history, const RowWrites& writes,
                                             std::span<const OrderEvent> order, bool has_two_events,
                                             std::size_t most);

}  // namespace elapid::argue

#endif  // ELAPID_ENGINE_ARGUE_TRIAL_H_
