// Re-checks a proof of validity of a history of rows and predicates: executes the transactions
// again in the given order. Each operation must be possible and return its recorded result.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// The reason why the order does not show that the history satisfies the level, in one sentence;
/// nothing if it does. As in check_witness(): the order has all committed transactions, no aborted
/// ones, and any of the indeterminate ones; it keeps session order and real time as the level does,
/// and at snapshot isolation the writers of each row apart. docs/predicates.md defines the
/// operations. Trusts nothing in the witness. Near linear for predicates that are one comparison of
/// a column; others look at all rows. Calls `keep_going` now and then; see check_evidence().
[[nodiscard]] std::optional<std::string> check_rows_witness(
    const History& history, OrderLevel level, const Witness& witness,
    const std::function<bool()>& keep_going = {});

/// The same for repeatable read (kPl299), read committed (kPl2) and read atomic (kReadAtomic). At
/// repeatable read a predicate may have concerned any earlier version of each row that its
/// transaction has not written. At read committed reads of single rows may have done so too. At
/// read atomic a transaction reads what is left without those who wrote later versions than the
/// witness says it read; what follows here is of the other two. If the rows that a predicate wrote
/// were not recorded, the witness has them. Not for bags that reach their limit, nor for writes of
/// unnamed rows with limits or bags.
[[nodiscard]] std::optional<std::string> check_rows_of_old_versions(
    const History& history, Model model, const Witness& witness,
    const std::function<bool()>& keep_going = {});

}  // namespace elapid
