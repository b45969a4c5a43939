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

/// A version that a row had, which an operation with a predicate cannot have concerned.
struct FormerVersion {
  TxnId writer;
  /// What the writer did not write itself: who did.
  std::vector<LastWriter> causes = {};
};

/// An operation that did not find what it did, because these were the last to write these parts;
/// two transactions that overlap and write a row; or an operation with a predicate that can have
/// concerned none of the versions that a row had before.
struct Failure {
  enum class Kind : std::uint8_t { kFound, kOverlap, kVersions };
  Kind kind = Kind::kFound;
  TxnId txn;
  std::uint32_t mop = 0;
  std::vector<LastWriter> causes = {};
  TxnId other = TxnId::none();  ///< kOverlap
  KeyId row = KeyId::none();    ///< kOverlap, kVersions
  std::vector<FormerVersion> versions = {};
};

struct TrialOptions {
  bool has_two_events = false;
  bool is_repeatable = false;  ///< predicates may concern former versions
  std::size_t most = 1;        ///< failures
};

/// The first failures. `order` holds the events of all that take effect; of a
/// transaction with two events both. Linear in the operations and what they match.
[[nodiscard]] std::vector<Failure> try_order(const History& history, const RowWrites& writes,
                                             std::span<const OrderEvent> order,
                                             TrialOptions options);

}  // namespace elapid::argue

#endif  // ELAPID_ENGINE_ARGUE_TRIAL_H_
