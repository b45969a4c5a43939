// Operations on objects that are also transactions on registers (RegisterTransactions): the engines
// of transactions decide them where the search for an order of operations takes too long.
#pragma once

#include "engine/check/check.h"

namespace elapid {

/// Whether linearizability, or sequential consistency, and nothing else is asked of such
/// operations.
[[nodiscard]] bool may_become_transactions(const History& history, const CheckOptions& options);

/// The verdict on `history` by its transactions, with the entries of `judged`, which is unknown or
/// invalid; `judged` itself where they leave it open. A valid order is carried out on objects
/// again; kInternal if that fails. An invalid verdict has the steps of a proof about
/// RegisterTransactions::necessary.
[[nodiscard]] Result<Verdict> judge_transactions(const History& history,
                                                 const CheckOptions& options,
                                                 const JudgeRequest& request, Verdict judged);

}  // namespace elapid
