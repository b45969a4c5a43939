// A proof that a history satisfies a saturable level (models.h), re-checked: a commit order, and
// whose write each read saw.
#ifndef ELAPID_ENGINE_CERTIFY_COMMIT_ORDER_H_
#define ELAPID_ENGINE_CERTIFY_COMMIT_ORDER_H_

#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Why the order does not show that the history satisfies the level, in one sentence; nothing where
/// it does. It does if all committed transactions are in it, no aborted ones, and any of the
/// indeterminate ones; if writers come before who read from them, and session order and real time
/// are kept as far as the level has them; if every external read, in the order of operations, shows
/// what the transaction that it is said to have seen left behind; and if of the writers of a key
/// none that is visible to a read comes after the one that the read saw.
///
/// Trusts nothing in the witness. Linear in the operations, of which those of a transaction count
/// for each that read from it; times the sessions at causal consistency.
[[nodiscard]] std::optional<std::string> check_commit_order(const History& history,
                                                            OrderLevel level,
                                                            const Witness& witness);

}  // namespace elapid

#endif  // ELAPID_ENGINE_CERTIFY_COMMIT_ORDER_H_
