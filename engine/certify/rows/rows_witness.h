// Re-checks a proof of validity of a history of rows and predicates: the transactions are carried
// out again in the order given, and each operation must be possible and find what it did.
#pragma once

#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// Why the order does not show that the history satisfies the level, in one sentence; nothing where
/// it does. As check_witness() does for keys: all committed transactions are in it, no aborted
/// ones, any of the indeterminate ones; session order and real time are kept where the level keeps
/// them, and at snapshot isolation the writers of each row apart. docs/predicates.md has the
/// meaning of operations. Trusts nothing in the witness. Near linear for predicates that are one
/// comparison of a column; others look at all rows.
[[nodiscard]] std::optional<std::string> check_rows_witness(const History& history,
                                                            OrderLevel level,
                                                            const Witness& witness);

/// The same for repeatable read (kPl299) and read committed (kPl2). At repeatable read a predicate
/// may have concerned any earlier version of each row that its transaction has not written itself.
/// At read committed so may reads of single rows. The witness tells which rows a predicate wrote if
/// they were not recorded. Not for bags that reach their limit, nor for writes of unnamed rows with
/// limits or bags.
[[nodiscard]] std::optional<std::string> check_rows_of_old_versions(const History& history,
                                                                    Model model,
                                                                    const Witness& witness);

}  // namespace elapid
