// bank: single operations :transfer money between accounts, and :read shows all balances.
//
//   {:type :ok, :f :transfer, :value {:from 0, :to 1, :amount 5}}
//   {:type :ok, :f :read, :value {0 5, 1 15}}
//
// Money is neither made nor lost: each read shows the same total, of the same accounts, none of
// them below zero unless the request allows that. Accounts and total are those of the request, else
// of the first read (bank_errors.h).
//
// After jepsen.tests.bank and elle-cli's checker, whose keys the result has. They do not look at
// transfers. A history keeps a transfer as three appends, of the account from which, of the one to
// which, and of the amount; and a read as one value, the map.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

/// The judgement is O(n log n) in operations and linear in balances.
[[nodiscard]] WorkloadRow bank_row();

}  // namespace elapid
