// The solver of events, for a history whose transactions have levels of their own.
#pragma once

#include <span>

#include "engine/ir/history.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/solve.h"

namespace elapid {

/// Two transactions in an order that holds whatever their levels say.
struct GivenOrder {
  TxnId before;
  TxnId after;
  KeyId key = KeyId::none();  ///< none(): all of it; else the writes of this key only
};

/// As solve() with a level for each transaction, serializable, snapshot isolation or prefix, in
/// place of that of `options`; without a minimal proof.
[[nodiscard]] SolveResult solve_by_txn(const History& history, const TxnLevels& levels,
                                       std::span<const GivenOrder> orders,
                                       const SolveOptions& options);

}  // namespace elapid
