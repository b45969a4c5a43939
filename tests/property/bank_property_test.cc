// Random banks: the same verdict and result as a checker that was written from its description
// alone.
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/workloads/table.h"
#include "harness/generate/random.h"
#include "parsers/read.h"
#include "tests/reference/plain_bank.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// Sessions that transfer and read, each operation at an instant.
class RandomBank {
 public:
  explicit RandomBank(std::uint64_t seed) : random_(seed) {
    const std::size_t accounts = 1 + random_.below(4);
    for (std::size_t account = 0; account < accounts; ++account) {
      balances_[std::to_string(account * 7)] = static_cast<std::int64_t>(random_.below(8));
    }
    is_mutated_ = seed % 3 == 0;
  }

  std::vector<PlainCall> calls() {
    const std::size_t count = random_.below(14);
    for (std::size_t n = 0; n < count; ++n) {
      const int process = static_cast<int>(random_.below(3));
      open_.contains(process) ? complete(process) : invoke(process);
    }
    return std::move(calls_);
  }

 private:
  void say(PlainCall call) {
    call.time = static_cast<std::int64_t>(calls_.size()) * 1000;
    calls_.push_back(std::move(call));
  }

  void invoke(int process) {
    PlainCall call = {.type = "invoke", .f = "read", .process = process, .is_nil = true};
    if (random_.percent(50)) {
      call.f = "transfer";
      call.is_nil = false;
      call.brackets = "{}";
      call.elements = {":from",   std::to_string(random_.below(4) * 7),
                       ":to",     std::to_string(random_.below(4) * 7),
                       ":amount", std::to_string(random_.below(5))};
    }
    open_[process] = call;
    say(call);
  }

  void complete(int process) {
    PlainCall call = open_[process];
    open_.erase(process);
    const std::size_t fate = random_.below(10);
    call.type = fate == 0 ? "info" : fate == 1 ? "fail" : "ok";
    if (call.f == "transfer") {
      move(call, call.type != "fail" && fate != 0);
    } else if (call.type == "ok" && !random_.percent(4)) {
      show(call);
    }
    say(call);
  }

  void move(PlainCall& call, bool is_done) {
    const auto from = balances_.find(call.elements[1]);
    const auto to = balances_.find(call.elements[3]);
    if (is_done && from != balances_.end() && to != balances_.end()) {
      const std::int64_t amount = std::stoll(call.elements[5]);
      from->second -= amount;
      to->second += amount;
    } else if (is_done) {
      call.type = "fail";
    }
    if (call.type == "fail" && random_.percent(50)) {
      call.brackets = "[]";
      call.elements = {":negative", "2", "-1"};
    }
  }

  /// Accounts in the order of their text, as canonical maps have them.
  void show(PlainCall& call) {
    std::map<std::string, std::string> shown;
    for (const auto& [account, balance] : balances_) {
      const bool is_wrong = is_mutated_ && random_.percent(10);
      if (is_wrong && random_.percent(20)) {
        continue;  // left out
      }
      const std::int64_t amount =
          balance + (is_wrong ? static_cast<std::int64_t>(random_.below(9)) - 4 : 0);
      shown[is_wrong && random_.percent(20) ? "5" + account : account] =
          is_wrong && random_.percent(20) ? "nil" : std::to_string(amount);
    }
    call.is_nil = false;
    call.brackets = "{}";
    for (const auto& [account, amount] : shown) {
      call.elements.push_back(account);
      call.elements.push_back(amount);
    }
  }

  Random random_;
  bool is_mutated_ = false;
  std::map<std::string, std::int64_t> balances_;
  std::map<int, PlainCall> open_;
  std::vector<PlainCall> calls_;
};

PlainBank random_rules(Random& random) {
  PlainBank bank = {.may_be_negative = random.percent(30)};
  if (random.percent(20)) {
    bank.total = static_cast<std::int64_t>(random.below(20)) - 2;
  }
  if (random.percent(20)) {
    bank.accounts = {"0", "7"};
  }
  return bank;
}

PlainVerdict checked(const std::string& text, const PlainBank& bank, bool elle_compat) {
  ReadOptions options;
  options.workload = find_workload("bank");
  const Result<LoadedHistory> loaded = read_history(memory_source("bank.edn", text), options);
  REQUIRE(loaded);
  CheckOptions how;
  how.assumptions.elle_compat = elle_compat;
  how.settings.accounts = bank.accounts;
  how.settings.total_amount = bank.total;
  how.settings.negative_balances = bank.may_be_negative;
  const Result<Verdict> verdict = check(loaded.value().history(), how);
  REQUIRE(verdict);
  const Validity validity = verdict.value().validity;
  CHECK(verdict.value().findings.empty() == (validity != Validity::kInvalid));
  return {std::string(truth_word(validity)),
          entries_text(loaded.value().history(), verdict.value())};
}

TEST_CASE("property: bank: the same result as by its description") {
  const std::uint64_t first = 1'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(4000);
  std::map<std::string, std::size_t> answers;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed + 17);
    const PlainBank rules = random_rules(random);
    const std::vector<PlainCall> calls = RandomBank(seed).calls();
    if (calls.empty()) {
      continue;
    }
    const std::string text = history_text(calls);
    for (const bool elle_compat : {false, true}) {
      const PlainVerdict expected = check_plain_bank(calls, rules, elle_compat);
      const PlainVerdict found = checked(text, rules, elle_compat);
      INFO("seed " << seed << (elle_compat ? " as Jepsen\n" : "\n") << text);
      REQUIRE(found.validity == expected.validity);
      REQUIRE(found.entries == expected.entries);
      ++answers[expected.validity];
    }
  }
  CHECK(answers["true"] > cases / 10);
  CHECK(answers["false"] > cases / 10);
  CHECK(answers["unknown"] > cases / 20);
}

}  // namespace
}  // namespace elapid
