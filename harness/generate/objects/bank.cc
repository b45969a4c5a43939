// A bank: :transfer moves money between accounts; :read shows all accounts.
//
//   transfer {:from 0, :to 1, :amount 5}, read -> {0 5, 1 15}
//
// A transfer of more than the balance fails. Faults show wrong balances once; the accounts keep the
// right ones.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

class BankModel : public ObjectModel {
 public:
  explicit BankModel(const WorkloadOptions& options)
      : reads_(options.reads),
        balances_(std::max<std::size_t>(options.keys, 2), kEachHasFirst),
        total_(static_cast<std::int64_t>(balances_.size()) * kEachHasFirst) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    if (random.per_million(reads_)) {
      return read();
    }
    const std::size_t from = random.below(balances_.size());
    const std::size_t to = (from + 1 + random.below(balances_.size() - 1)) % balances_.size();
    return {.function = "transfer",
            .value = {.shape = PlainValue::kTransfer,
                      .numbers = {static_cast<std::int64_t>(from), static_cast<std::int64_t>(to),
                                  static_cast<std::int64_t>(1 + random.below(kMostMoved))}}};
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    if (call.function == "read") {
      return {.value = shown_balances(balances_)};
    }
    const auto& [from, to, amount] = call.value.numbers;
    if (balances_[static_cast<std::size_t>(from)] < amount) {
      return {.kind = ObjectReply::Kind::kRefused};
    }
    balances_[static_cast<std::size_t>(from)] -= amount;
    balances_[static_cast<std::size_t>(to)] += amount;
    return {.value = call.value};
  }

  void tell_wrong_total(FaultScript& script) {
    tell(script, [](Accounts& accounts) { *accounts.front() += 1; });
  }

  void tell_missing_account(FaultScript& script) {
    tell(script, [](Accounts& accounts) { accounts.erase(std::ranges::max_element(accounts)); });
  }

  void tell_unexpected_account(FaultScript& script) {
    tell(script, [](Accounts& accounts) { accounts.emplace_back(0); });
  }

  void tell_nil_balance(FaultScript& script) {
    tell(script, [](Accounts& accounts) { accounts.front().reset(); });
  }

  void tell_negative(FaultScript& script) {
    tell(script, [&](Accounts& accounts) {
      std::ranges::fill(accounts, 0);
      accounts.front() = total_ + 1;
      accounts.back() = -1;
    });
  }

 private:
  static constexpr std::int64_t kEachHasFirst = 10;
  static constexpr std::size_t kMostMoved = 5;

  using Accounts = std::vector<std::optional<std::int64_t>>;

  static ObjectCall read() { return {.function = "read"}; }

  template <class Balances>
  static ObjectValue shown_balances(const Balances& balances) {
    PlainTree map = PlainTree::map();
    for (std::int64_t account = 0; const std::optional<std::int64_t> balance : balances) {
      map.parts.push_back(PlainTree::number(account++));
      map.parts.push_back(balance ? PlainTree::number(*balance) : PlainTree::nil());
    }
    return ObjectValue::of(std::move(map));
  }

  /// The first read is correct: it shows the total that the bank must keep.
  template <class Edit>
  void tell(FaultScript& script, Edit edit) {
    script.really(read());
    Accounts accounts(balances_.begin(), balances_.end());
    edit(accounts);
    script.falsely(read(), shown_balances(accounts));
  }

  std::uint32_t reads_;
  std::vector<std::int64_t> balances_;
  std::int64_t total_;
};

constexpr std::array kBankFaults = {
    ObjectFault{"wrong-total", "A read shows more money than there is",
                told_by<&BankModel::tell_wrong_total>, "wrong-total"},
    ObjectFault{"missing-account", "A read leaves out an account, and with it money",
                told_by<&BankModel::tell_missing_account>, "wrong-total"},
    ObjectFault{"unexpected-key", "A read shows an account that there is none of",
                told_by<&BankModel::tell_unexpected_account>, "unexpected-key"},
    ObjectFault{"nil-balance", "A read shows an account without a balance",
                told_by<&BankModel::tell_nil_balance>, "nil-balance"},
    ObjectFault{"negative-value", "A read shows a balance below zero",
                told_by<&BankModel::tell_negative>, "negative-value"},
};

}  // namespace

ObjectType bank_type() {
  return {"bank", make_model<BankModel>, kBankFaults};
}

}  // namespace elapid
