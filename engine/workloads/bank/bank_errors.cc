#include "engine/workloads/bank/bank_errors.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/ir/call.h"

namespace elapid {

namespace {

constexpr std::array<std::string_view, kBankErrorTypes> kBankErrorNames = {
    "unexpected-key", "nil-balance", "wrong-total", "negative-value"};

/// Checks one read after the other.
class BankReads {
 public:
  BankReads(const History& history, const BankRules& rules) : balances_(history), rules_(rules) {}

  /// Checks a read. Returns false if a sum needs more than 64 bits.
  bool look_at(TxnId read) {
    unexpected_ = nils_ = total_ = negative_ = 0;
    std::size_t place = 0;
    for (const Balance& shown : balances_.of(read)) {
      unexpected_ += is_account(shown.account, place++) ? 0 : 1;
      if (!add(shown.amount)) {
        return false;
      }
    }
    note(read);
    return true;
  }

  std::vector<BankError> errors() && { return std::move(errors_); }

 private:
  /// Whether the rules name the account. Most reads show the accounts in one order, so the same
  /// place is tried first.
  bool is_account(std::string_view account, std::size_t place) const {
    return (place < rules_.accounts.size() && rules_.accounts[place] == account) ||
           rules_.has_account(account);
  }

  bool add(std::optional<std::int64_t> amount) {
    if (!amount) {
      ++nils_;
      return true;
    }
    return !__builtin_add_overflow(total_, *amount, &total_) &&
           !(*amount < 0 && __builtin_add_overflow(negative_, *amount, &negative_));
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

  Balances balances_;
  const BankRules& rules_;
  std::vector<BankError> errors_;
  // For the current read.
  std::int64_t unexpected_ = 0;
  std::int64_t nils_ = 0;
  std::int64_t total_ = 0;
  std::int64_t negative_ = 0;
};

}  // namespace

std::string_view name_of(BankErrorType type) {
  return kBankErrorNames.at(static_cast<std::size_t>(type));
}

bool BankRules::has_account(std::string_view name) const {
  const auto has = [&](std::string_view text) {
    return std::ranges::binary_search(accounts, text, std::less<>());
  };
  const bool is_keyword = knows_keywords && name.starts_with(':');
  return has(name) ||
         (is_keyword && (has(name.substr(1)) || has('"' + std::string(name.substr(1)) + '"')));
}

const std::vector<Balance>& Balances::of(TxnId read) {
  balances_.clear();
  text_.clear();
  const ValueId map = history_.ops(read).front().value();
  if (map.is_nil()) {
    return balances_;
  }
  history_.values().append_text(map, text_);
  const auto parts = elements_of(text_).value_or(std::vector<std::string_view>());
  for (std::size_t place = 0; place + 1 < parts.size(); place += 2) {
    Balance balance = {.account = parts[place], .text = parts[place + 1]};
    std::int64_t amount = 0;
    const auto parsed =
        std::from_chars(balance.text.data(), balance.text.data() + balance.text.size(), amount);
    if (parsed.ec == std::errc()) {
      balance.amount = amount;
    }
    balances_.push_back(balance);
  }
  return balances_;
}

std::optional<std::int64_t> total_of(const History& history, TxnId read) {
  std::int64_t total = 0;
  Balances shown(history);
  for (const Balance& balance : shown.of(read)) {
    if (__builtin_add_overflow(total, balance.amount.value_or(0), &total)) {
      return std::nullopt;
    }
  }
  return total;
}

std::vector<TxnId> bank_reads(const History& history, bool with_nil) {
  std::vector<TxnId> reads;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const std::span<const Op> ops = history.ops(txn);
    if (history.committed(txn) && ops.size() == 1 && ops.front().kind() == OpKind::kRead &&
        (with_nil || !ops.front().value().is_nil())) {
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
