// A question about levels of operations, as linearizable, beside levels of transactions.
//
//   write 1, failed cas [1 2], read 1      linearizable: no, if the failed cas shows another value
//                                          serializable: open, since transactions do not know that
//
// Operations on registers are also transactions, whose engines decide all levels at once. They lack
// two facts: what a failed compare-and-set shows, and that an operation without an invocation
// begins before all, also before those of its process. Where these matter, levels of operations are
// asked apart.
#pragma once

#include "engine/check/check.h"
#include "engine/workloads/table.h"

namespace elapid {

/// Whether a compare-and-set failed, which shows that the register had another value.
[[nodiscard]] bool has_witnesses(const History& history, FailedCas failed_cas);

/// Whether the judge of registers and the transactions' engines understand a nil differently: as
/// what an indeterminate compare-and-set expects, which transactions do not know, or as what a read
/// shows of a register that never was nil, which tells the judge nothing.
[[nodiscard]] bool has_odd_nil(const History& history);

/// Whether a proof about the operations as transactions refutes this level of operations.
[[nodiscard]] bool transactions_refute(const History& history, Model model,
                                       const Assumptions& assumptions);

/// Whether strict serializability of registers is a question about transactions: one without an
/// invocation begins before those of its process in real time, but not in the order of its process.
/// Not where transactions know too little.
[[nodiscard]] bool is_strict_apart(const WorkloadRow& row, const History& history,
                                   FailedCas failed_cas);

/// Whether levels of operations must be asked apart.
[[nodiscard]] bool must_ask_apart(const History& history, const CheckOptions& options);

/// The verdict on levels of operations, at least one, each asked by itself. Where an operation has
/// no invocation, it begins before those of its process in real time: then these levels do not
/// imply one another. All but `sequential` imply assumptions about keys.
[[nodiscard]] Result<Verdict> check_each(const History& history, CheckOptions options);

/// The verdict on all levels and anomalies asked. `of_operations`: the models that operations have
/// by themselves. What only transactions say holds is left open where they know too little.
[[nodiscard]] Result<Verdict> check_apart(const History& history, const CheckOptions& options,
                                          ModelSet of_operations);

}  // namespace elapid
