// The result of a check of a bank: as Jepsen's checker prints it, and as
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

/// A bank and the findings of its check. Borrows everything.
struct BankCheck {
  const History& history;
  const BankRules& rules;
  const WorkloadSettings& settings;
  std::span<const TxnId> reads;
  std::span<const BankError> errors;  ///< in the order of `reads`
  TxnId total_of = TxnId::none();     ///< the read that gave the total; or none()
  TxnId accounts_of = TxnId::none();  ///< the read that gave the accounts; or none()
};

/// :read-count, :error-count, :first-error and :errors, as in jepsen.tests.bank. For each type of
/// error: their number, the first, the worst and the last one; for wrong totals also the lowest and
/// the highest. Among equals, the first one.
[[nodiscard]] std::vector<ResultEntry> bank_entries(const BankCheck& check);

/// The values that the check assumed, and their sources: `:elapid/settings`.
[[nodiscard]] ResultEntry bank_settings(const BankCheck& check);

/// Descriptions of the first errors of each type.
[[nodiscard]] std::vector<Description> bank_findings(const BankCheck& check);

}  // namespace elapid
