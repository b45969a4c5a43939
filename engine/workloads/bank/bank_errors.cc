#include "engine/workloads/bank/bank_errors.h"

#include <algorithm>
#include <array>

namespace elapid {

namespace {

constexpr std::array<std::string_view, kBankErrorTypes> kBankErrorNames = {
    "unexpected-key", "nil-balance", "wrong-total", "negative-value"};

/// Tries one read after the other.
class BankReads {
 public:
  BankReads(const History& history, const BankRules& rules) : history_(history), rules_(rules) {}

  /// Whether all sums are below 2^63.
  bool look_at(TxnId read) {
    unexpected_ = nils_ = total_ = negative_ = 0;
    const Balances shown(history_, read);
    for (std::size_t place = 0; place < shown.size(); ++place) {
      unexpected_ += is_account(shown[place].account, place) ? 0 : 1;
      if (!add(shown[place].amount)) {
        return false;
      }
    }
    note(read);
    return true;
  }

  std::vector<BankError> errors() && { return std::move(errors_); }

 private:
  /// Reads show the same accounts in the same order, as a rule.
  bool is_account(ValueId account, std::size_t place) const {
    return (place < rules_.accounts.size() && rules_.accounts[place] == account) ||
           std::ranges::binary_search(rules_.accounts, account);
  }

  bool add(ValueId amount) {
    if (amount.is_nil()) {
      ++nils_;
      return true;
    }
    const std::int64_t number = history_.values().as_integer(amount).value_or(0);
    return !__builtin_add_overflow(total_, number, &total_) &&
           !(number < 0 && __builtin_add_overflow(negative_, number, &negative_));
  }

  void note(TxnId read) {
    if (unexpected_ > 0) {
      errors_.push_back({read, BankErrorType::kUnexpectedKey, unexpected_});
    } else if (nils_ > 0) {
      errors_.push_back({read, BankErrorType::kNilBalance, nils_});
    } else if (total_ != rules_.total) {
      errors_.push_back({read, BankErrorType::kWrongTotal, total_});
    } else if (negative_ < 0 && !rules_.may_be_negative) {
      errors_.push_back({read, BankErrorType::kNegativeValue, negative_});
    }
  }

  const History& history_;
  const BankRules& rules_;
  std::vector<BankError> errors_;
  // Of the read that is looked at.
  std::int64_t unexpected_ = 0;
  std::int64_t nils_ = 0;
  std::int64_t total_ = 0;
  std::int64_t negative_ = 0;
};

}  // namespace

std::string_view name_of(BankErrorType type) {
  return kBankErrorNames.at(static_cast<std::size_t>(type));
}

std::optional<std::int64_t> total_of(const History& history, TxnId read) {
  std::int64_t total = 0;
  const Balances shown(history, read);
  for (std::size_t place = 0; place < shown.size(); ++place) {
    const std::int64_t amount = history.values().as_integer(shown[place].amount).value_or(0);
    if (__builtin_add_overflow(total, amount, &total)) {
      return std::nullopt;
    }
  }
  return total;
}

std::vector<TxnId> bank_reads(const History& history, bool with_nil) {
  std::vector<TxnId> reads;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (history.committed(txn) && ops.size() == 1 &&
        (ops.front().kind() == OpKind::kReadList ||
         (with_nil && ops.front().kind() == OpKind::kRead))) {
      reads.push_back(txn);
    }
  }
  std::ranges::sort(reads, {}, [&](TxnId read) { return history.completion_id(read); });
  return reads;
}

std::optional<std::vector<BankError>> bank_errors(const History& history,
                                                  std::span<const TxnId> reads,
                                                  const BankRules& rules) {
  BankReads looked(history, rules);
  for (const TxnId read : reads) {
    if (!looked.look_at(read)) {
      return std::nullopt;
    }
  }
  return std::move(looked).errors();
}

}  // namespace elapid
