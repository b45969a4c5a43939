// The errors of a bank's reads as the result of its check: what Jepsen's checker prints, and
// sentences.
//
//   {:read-count 3, :error-count 1, :first-error {:type :wrong-total, :total 101, :op ...}, ...}
//   T1 shows balances of 101 together. However, the accounts hold 100: wrong total!
#pragma once

#include <span>
#include <vector>

#include "engine/verdict/description.h"
#include "engine/verdict/verdict.h"
#include "engine/verdict/workload_settings.h"
#include "engine/workloads/bank/bank_errors.h"

namespace elapid {

/// A bank and what was found in it. Borrows all of them.
struct BankCheck {
  const History& history;
  const BankRules& rules;
  const WorkloadSettings& settings;
  std::span<const TxnId> reads;
  std::span<const BankError> errors;  ///< in the order of `reads`
  TxnId total_of = TxnId::none();     ///< the read from which the total is known, if it is one
  TxnId accounts_of = TxnId::none();  ///< the same of the accounts
};

/// :read-count, :error-count, :first-error and :errors, as jepsen.tests.bank has them: of each type
/// of error how many there are, the first, the worst and the last one, and of wrong totals the
/// lowest and the highest. Of equals the first is meant.
[[nodiscard]] std::vector<ResultEntry> bank_entries(const BankCheck& check);

/// What the check took for granted and from where: `:elapid/settings`.
[[nodiscard]] ResultEntry bank_settings(const BankCheck& check);

/// Of each type the first errors, each a description.
[[nodiscard]] std::vector<Description> bank_findings(const BankCheck& check);

}  // namespace elapid
