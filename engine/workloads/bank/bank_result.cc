#include "engine/workloads/bank/bank_result.h"
#include "engine/workloads/setting.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>
#include <utility>

namespace elapid {

namespace {

constexpr std::size_t kMostFindingsOfType = 25;

/// The errors of one type, as the result lists them.
struct BankErrorGroup {
  BankErrorType type = BankErrorType::kWrongTotal;
  std::int64_t count = 0;
  BankError first = {};
  BankError worst = {};
  BankError last = {};
  BankError lowest = {};
  BankError highest = {};
};

/// The severity of an error among those of its type. elle-cli's quotient is a 32-bit float.
double badness(const BankError& error, std::int64_t total) {
  const auto amount = static_cast<double>(error.amount);
  switch (error.type) {
    case BankErrorType::kWrongTotal: {
      const auto expected = static_cast<double>(total);
      return total <= 0 ? 0 : static_cast<float>(std::abs(amount - expected) / expected);
    }
    case BankErrorType::kNegativeValue:
      return -amount;
    default:
      return amount;
  }
}

/// The groups in the order of their first errors.
std::vector<BankErrorGroup> group_errors(const BankCheck& check) {
  std::vector<BankErrorGroup> groups;
  for (const BankError& error : check.errors) {
    auto group = std::ranges::find(groups, error.type, &BankErrorGroup::type);
    if (group == groups.end()) {
      groups.push_back({error.type, 1, error, error, error, error, error});
      continue;
    }
    ++group->count;
    group->last = error;
    if (badness(error, check.rules.total) > badness(group->worst, check.rules.total)) {
      group->worst = error;
    }
    group->lowest = error.amount < group->lowest.amount ? error : group->lowest;
    group->highest = error.amount > group->highest.amount ? error : group->highest;
  }
  return groups;
}

/// One field of the read's balances that pass a test.
template <class Test>
std::vector<std::string> shown_by(const History& history, TxnId read,
                                  std::string_view Balance::*what, Test test) {
  std::vector<std::string> found;
  Balances shown(history);
  for (const Balance& balance : shown.of(read)) {
    if (test(balance)) {
      found.emplace_back(balance.*what);
    }
  }
  return found;
}

/// The unexpected accounts of the read.
std::vector<std::string> unexpected_ones(const BankCheck& check, TxnId read) {
  return shown_by(check.history, read, &Balance::account,
                  [&](const Balance& shown) { return !check.rules.has_account(shown.account); });
}

/// The accounts without an amount in the read.
std::vector<std::string> absent_ones(const BankCheck& check, TxnId read) {
  return shown_by(check.history, read, &Balance::account,
                  [](const Balance& shown) { return !shown.amount; });
}

/// The negative amounts of the read.
std::vector<std::string> negative_ones(const BankCheck& check, TxnId read) {
  return shown_by(check.history, read, &Balance::text,
                  [](const Balance& shown) { return shown.amount.value_or(0) < 0; });
}

ResultValue list_of(const std::vector<std::string>& forms) {
  std::vector<ResultValue> items;
  for (const std::string& form : forms) {
    items.push_back(ResultValue::form(form));
  }
  return ResultValue::of_items(ResultValue::Kind::kList, std::move(items));
}

/// `:unexpected (7)`, `:nils {1 nil}`, `:total 101` or `:negative (-1)`.
std::pair<std::string, ResultValue> detail_of(const BankCheck& check, const BankError& error) {
  switch (error.type) {
    case BankErrorType::kUnexpectedKey:
      return {"unexpected", list_of(unexpected_ones(check, error.read))};
    case BankErrorType::kNilBalance: {
      ResultValue nils = ResultValue::map({});
      for (const std::string& account : absent_ones(check, error.read)) {
        nils.add(ResultValue::form(account), ResultValue());
      }
      return {"nils", std::move(nils)};
    }
    case BankErrorType::kWrongTotal:
      return {"total", error.amount};
    default:
      return {"negative", list_of(negative_ones(check, error.read))};
  }
}

ResultValue error_map(const BankCheck& check, const BankError& error) {
  return ResultValue::map(
      {{"type", ResultValue::keyword(std::string(name_of(error.type)))},
       detail_of(check, error),
       {"op", ResultValue::event({.txn = error.read, .kind = EventKind::kCompletion})}});
}

ResultValue group_map(const BankCheck& check, const BankErrorGroup& group) {
  ResultValue::Entries entries = {{"count", group.count},
                                  {"first", error_map(check, group.first)},
                                  {"worst", error_map(check, group.worst)},
                                  {"last", error_map(check, group.last)}};
  if (group.type == BankErrorType::kWrongTotal) {
    entries.emplace_back("lowest", error_map(check, group.lowest));
    entries.emplace_back("highest", error_map(check, group.highest));
  }
  return ResultValue::map(std::move(entries));
}

SeriesPart series_of(const std::vector<std::string>& texts) {
  SeriesPart series;
  for (const std::string& text : texts) {
    series.items.push_back(as_phrase(text));
  }
  return series;
}

/// Describes errors in sentences.
class BankTeller {
 public:
  explicit BankTeller(const BankCheck& check) : check_(check) {}

  Description tell(const BankError& error) {
    description_ = {.name = std::string(name_of(error.type)),
                    .gloss = std::string(kGlosses.at(static_cast<std::size_t>(error.type)))};
    actor(error.read);
    switch (error.type) {
      case BankErrorType::kUnexpectedKey:
        tell_unexpected(unexpected_ones(check_, error.read));
        break;
      case BankErrorType::kNilBalance:
        claim(phrase("{} shows no balance of {}: an account without a balance!", ActorPart{0},
                     series_of(absent_ones(check_, error.read))));
        break;
      case BankErrorType::kWrongTotal:
        tell_total(error.amount);
        break;
      default:
        claim(phrase("{} shows a balance of {}, below zero: a negative balance!", ActorPart{0},
                     series_of(negative_ones(check_, error.read))));
    }
    return std::move(description_);
  }

 private:
  static constexpr std::array<std::string_view, kBankErrorTypes> kGlosses = {
      "a read shows an account that there is none of", "a read shows an account without a balance",
      "the balances of a read do not add up to the total", "a read shows a negative balance"};

  void actor(TxnId read, bool is_witness = false) {
    description_.actors.push_back({.event = representative_ref(check_.history, read),
                                   .focus = {Focus{.mop = 0}},
                                   .is_witness = is_witness});
  }

  void claim(Phrase says) { description_.claims.push_back({.says = std::move(says)}); }

  /// The source of a setting that the user made.
  [[nodiscard]] std::string teller(std::string_view setting) const {
    const bool is_test = check_.settings.source_of(setting, true, "") == "test-map";
    return is_test ? "test's map" : "request";
  }

  void tell_unexpected(const std::vector<std::string>& unexpected) {
    const SeriesPart accounts = series_of(unexpected);
    if (check_.accounts_of.is_none()) {
      claim(phrase("{} shows {}, and the {} names no such account: an unexpected account!",
                   ActorPart{0}, accounts, teller("accounts")));
      return;
    }
    actor(check_.accounts_of, true);
    claim(phrase("{}, the first read, shows which accounts there are.", ActorPart{1}));
    claim(phrase("However, {} shows {}, too: an unexpected account!", ActorPart{0}, accounts));
  }

  void tell_total(std::int64_t total) {
    const std::string expected = std::to_string(check_.rules.total);
    if (check_.total_of.is_none()) {
      claim(phrase("The accounts hold {} together, as the {} says.", expected,
                   teller("total-amount")));
    } else {
      actor(check_.total_of, true);
      claim(phrase("The accounts hold {} together, as {}, the first read, shows.", expected,
                   ActorPart{1}));
    }
    claim(phrase("However, {} shows {}: a wrong total!", ActorPart{0}, std::to_string(total)));
  }

  const BankCheck& check_;
  Description description_;
};

}  // namespace

std::vector<ResultEntry> bank_entries(const BankCheck& check) {
  ResultValue by_type = ResultValue::map({});
  for (const BankErrorGroup& group : group_errors(check)) {
    by_type.add(ResultValue::keyword(std::string(name_of(group.type))), group_map(check, group));
  }
  return {{"read-count", static_cast<std::int64_t>(check.reads.size())},
          {"error-count", static_cast<std::int64_t>(check.errors.size())},
          {"first-error",
           check.errors.empty() ? ResultValue() : error_map(check, check.errors.front())},
          {"errors", std::move(by_type)}};
}

ResultEntry bank_settings(const BankCheck& check) {
  const auto source = [&](std::string_view name, TxnId read) {
    return check.settings.source_of(name, read.is_none(), "first-read");
  };
  return settings_entry(
      {{"total-amount", setting(check.rules.total, source("total-amount", check.total_of))},
       {"accounts",
        setting(list_of(check.rules.accounts), source("accounts", check.accounts_of))}});
}

std::vector<Description> bank_findings(const BankCheck& check) {
  std::array<std::vector<Description>, kBankErrorTypes> of_types;
  for (const BankError& error : check.errors) {
    std::vector<Description>& told = of_types.at(static_cast<std::size_t>(error.type));
    if (told.size() < kMostFindingsOfType) {
      told.push_back(BankTeller(check).tell(error));
    }
  }
  std::vector<Description> findings;
  for (std::vector<Description>& told : of_types) {
    std::ranges::move(told, std::back_inserter(findings));
  }
  return findings;
}

}  // namespace elapid
