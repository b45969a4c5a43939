// What is wrong with single reads of a bank, and which reads are right.
//
//   the accounts 0 and 1 hold 100 together
//   {:type :ok, :f :read, :value {0 60, 1 40}}        right
//   {:type :ok, :f :read, :value {0 60, 1 41}}        wrong-total: 101
//   {:type :ok, :f :read, :value {0 140, 1 -40}}      negative-value: -40
//   {:type :ok, :f :read, :value {0 100, 1 nil}}      nil-balance: of 1
//   {:type :ok, :f :read, :value {0 60, 2 40}}        unexpected-key: 2
//
// A read has one error at most, the first that applies of unexpected-key, nil-balance, wrong-total
// and negative-value. After jepsen.tests.bank.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// What a read shows of one account. The views are those of the Balances.
struct Balance {
  std::string_view account;                 ///< canonical EDN
  std::string_view text;                    ///< of the amount: an integer, or nil
  std::optional<std::int64_t> amount = {};  ///< nothing for nil
};

/// In the order in which a read is tried for them.
enum class BankErrorType : std::uint8_t {
  kUnexpectedKey,  ///< an account is shown that there is none of
  kNilBalance,     ///< an account is shown without a balance
  kWrongTotal,     ///< the balances add up to something else
  kNegativeValue,  ///< a balance is negative
};

inline constexpr std::size_t kBankErrorTypes = 4;

/// `wrong-total`
[[nodiscard]] std::string_view name_of(BankErrorType type);

struct BankError {
  TxnId read;
  BankErrorType type = BankErrorType::kWrongTotal;
  /// Accounts that are unexpected or lack a balance; the sum of all balances; the sum of the
  /// negative ones.
  std::int64_t amount = 0;
};

/// What a bank is to be.
struct BankRules {
  std::vector<std::string> accounts;  ///< canonical EDN, sorted
  std::int64_t total = 0;             ///< of all accounts
  bool may_be_negative = false;
};

/// What a read shows. A history keeps it as one value, the map.
class Balances {
 public:
  explicit Balances(const History& history) : history_(history) {}

  /// Valid until the next call. A read that shows nil shows no account. O(length).
  const std::vector<Balance>& of(TxnId read);

 private:
  const History& history_;
  std::string text_;
  std::vector<Balance> balances_;
};

/// The sum of all balances, nil as 0. Nothing if it is beyond 64 bits. O(accounts).
[[nodiscard]] std::optional<std::int64_t> total_of(const History& history, TxnId read);

/// Reads that succeeded and show balances, in the order of their completions. Those that succeeded
/// with nil as well, if `with_nil`: to Jepsen they show no account. O(n log n).
[[nodiscard]] std::vector<TxnId> bank_reads(const History& history, bool with_nil);

/// The errors of these reads, in their order. Nothing if the balances of some read add up to more
/// than 64 bits. O(balances).
[[nodiscard]] std::optional<std::vector<BankError>> bank_errors(const History& history,
                                                                std::span<const TxnId> reads,
                                                                const BankRules& rules);

}  // namespace elapid
