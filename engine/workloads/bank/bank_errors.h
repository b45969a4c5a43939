// The errors of single reads of a bank.
//
//   the accounts 0 and 1 hold 100 together
//   {:type :ok, :f :read, :value {0 60, 1 40}}        right
//   {:type :ok, :f :read, :value {0 60, 1 41}}        wrong-total: 101
//   {:type :ok, :f :read, :value {0 140, 1 -40}}      negative-value: -40
//   {:type :ok, :f :read, :value {0 100, 1 nil}}      nil-balance: of 1
//   {:type :ok, :f :read, :value {0 60, 2 40}}        unexpected-key: 2
//
// A read has at most one error: the first of unexpected-key, nil-balance, wrong-total and
// negative-value that applies. After jepsen.tests.bank.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

/// The balance of one account in a read. The views belong to the Balances.
struct Balance {
  std::string_view account;                 ///< canonical EDN
  std::string_view text;                    ///< the amount: an integer, or nil
  std::optional<std::int64_t> amount = {};  ///< nothing for nil
};

/// In the order in which a read is tested for them.
enum class BankErrorType : std::uint8_t {
  kUnexpectedKey,  ///< an account that does not exist is shown
  kNilBalance,     ///< an account is shown without a balance
  kWrongTotal,     ///< the balances have another sum
  kNegativeValue,  ///< a balance is negative
};

inline constexpr std::size_t kBankErrorTypes = 4;

/// `wrong-total`
[[nodiscard]] std::string_view name_of(BankErrorType type);

struct BankError {
  TxnId read;
  BankErrorType type = BankErrorType::kWrongTotal;
  /// By type: accounts that are unexpected or have no balance; the sum of all balances; the sum of
  /// the negative ones.
  std::int64_t amount = 0;
};

/// The correct state of a bank.
struct BankRules {
  std::vector<std::string> accounts;  ///< canonical EDN, sorted
  std::int64_t total = 0;             ///< of all accounts
  bool may_be_negative = false;
  /// Whether `:0` is the account `0` or `"0"`, too: JSON makes keywords of the names in a map.
  bool knows_keywords = true;

  [[nodiscard]] bool has_account(std::string_view name) const;
};

/// The balances in a read. The history has them as one value, a map.
class Balances {
 public:
  explicit Balances(const History& history) : history_(history) {}

  /// Valid until the next call. Empty for a read that shows nil. O(length).
  const std::vector<Balance>& of(TxnId read);

 private:
  const History& history_;
  std::string text_;
  std::vector<Balance> balances_;
};

/// The sum of all balances, with nil as 0. Nothing if it exceeds 64 bits. O(accounts).
[[nodiscard]] std::optional<std::int64_t> total_of(const History& history, TxnId read);

/// The successful reads that show balances, in the order of their completions; with `with_nil` also
/// those that show nil: Jepsen takes them as reads without accounts. O(n log n).
[[nodiscard]] std::vector<TxnId> bank_reads(const History& history, bool with_nil);

/// The errors of these reads, in their order. Nothing if some read has a sum of balances above 64
/// bits. O(balances).
[[nodiscard]] std::optional<std::vector<BankError>> bank_errors(const History& history,
                                                                std::span<const TxnId> reads,
                                                                const BankRules& rules);

}  // namespace elapid
