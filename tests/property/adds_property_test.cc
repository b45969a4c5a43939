// Random sets and counters: the same verdicts and results as checkers that were written from their
// descriptions alone.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/workloads/table.h"
#include "harness/generate/random.h"
#include "parsers/read.h"
#include "tests/reference/plain_counter.h"
#include "tests/reference/plain_set_full.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// Sessions that add to one thing and read it, each operation at the instant at which it completes.
class RandomAdds {
 public:
  enum class Kind : std::uint8_t { kSet, kCounter, kSignedCounter, kFinalCounter };

  RandomAdds(std::uint64_t seed, Kind kind) : random_(seed), kind_(kind) {
    is_mutated_ = seed % 3 == 0;
    final_percent_ = kind == Kind::kFinalCounter ? 40 : 0;
  }

  std::vector<PlainCall> calls() {
    const std::size_t count = random_.below(kind_ == Kind::kSet ? 30 : 18);
    for (std::size_t n = 0; n < count; ++n) {
      const int process = static_cast<int>(random_.below(4));
      open_.contains(process) ? complete(process) : invoke(process);
    }
    return std::move(calls_);
  }

 private:
  void say(PlainCall call) {
    now_ += random_.percent(50) ? static_cast<std::int64_t>(random_.below(3'000'000)) : 0;
    call.time = now_;
    calls_.push_back(std::move(call));
  }

  void invoke(int process) {
    PlainCall call = {.type = "invoke", .f = "read", .process = process, .is_nil = true};
    if (random_.percent(50)) {
      const bool is_signed = kind_ == Kind::kSignedCounter || kind_ == Kind::kFinalCounter;
      const std::int64_t number = static_cast<std::int64_t>(random_.below(6)) - (is_signed ? 3 : 0);
      call.f = "add";
      call.is_nil = false;
      call.elements = {kind_ == Kind::kSet && !random_.percent(10) ? std::to_string(next_++)
                                                                   : std::to_string(number)};
    } else {
      call.is_final = random_.percent(final_percent_);
    }
    open_[process] = call;
    say(call);
  }

  void complete(int process) {
    PlainCall call = open_[process];
    open_.erase(process);
    const std::size_t fate = random_.below(10);
    call.type = fate == 0 ? "info" : fate == 1 ? "fail" : "ok";
    const bool happens = call.type == "ok" || (call.type == "info" && random_.percent(50));
    if (call.f == "add" && happens) {
      sum_ += std::stoll(call.elements.front());
      elements_.push_back(call.elements.front());
    } else if (call.f == "read" && call.type == "ok" && !random_.percent(3)) {
      kind_ == Kind::kSet ? show_elements(call) : show_sum(call);
    }
    say(call);
  }

  void show_sum(PlainCall& call) {
    const bool is_wrong = is_mutated_ && random_.percent(25);
    call.is_nil = false;
    call.elements = {
        std::to_string(sum_ + (is_wrong ? static_cast<std::int64_t>(random_.below(7)) - 3 : 0))};
  }

  void show_elements(PlainCall& call) {
    call.is_nil = false;
    call.brackets = "[]";
    for (const std::string& element : elements_) {
      const bool is_wrong = is_mutated_ && random_.percent(20);
      const bool is_repeated = std::ranges::count(call.elements, element) > 0 && !is_wrong;
      if ((is_wrong && random_.percent(60)) || is_repeated) {
        continue;
      }
      call.elements.push_back(element);
      if (is_wrong) {
        call.elements.push_back(random_.percent(50) ? element : std::to_string(next_));
      }
    }
  }

  Random random_;
  Kind kind_;
  bool is_mutated_ = false;
  std::size_t final_percent_ = 0;
  std::int64_t now_ = 0;
  int next_ = 10;
  std::int64_t sum_ = 0;
  std::vector<std::string> elements_;
  std::map<int, PlainCall> open_;
  std::vector<PlainCall> calls_;
};

PlainVerdict checked(const std::string& text, std::string_view workload, bool is_linearizable,
                     bool elle_compat) {
  ReadOptions options;
  options.workload = find_workload(workload);
  REQUIRE(options.workload);
  const Result<LoadedHistory> loaded = read_history(memory_source("adds.edn", text), options);
  REQUIRE(loaded);
  CheckOptions how;
  how.assumptions.elle_compat = elle_compat;
  how.settings.linearizable_elements = is_linearizable;
  const Result<Verdict> verdict = check(loaded.value().history(), how);
  REQUIRE(verdict);
  const Validity validity = verdict.value().validity;
  CHECK(verdict.value().findings.empty() == (validity != Validity::kInvalid));
  return {std::string(truth_word(validity)),
          entries_text(loaded.value().history(), verdict.value())};
}

/// Compares two checkers on many histories, and that all answers come.
void compare(RandomAdds::Kind kind, std::uint64_t by_default, std::size_t rarest,
             const std::function<PlainVerdict(const std::vector<PlainCall>&, bool)>& expected_of,
             const std::function<PlainVerdict(const std::string&, bool)>& found_of) {
  const std::uint64_t first = 1'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(by_default);
  std::map<std::string, std::size_t> answers;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const std::vector<PlainCall> calls = RandomAdds(seed, kind).calls();
    if (calls.empty()) {
      continue;
    }
    const std::string text = history_text(calls);
    for (const bool option : {false, true}) {
      const PlainVerdict expected = expected_of(calls, option);
      const PlainVerdict found = found_of(text, option);
      INFO("seed " << seed << " option " << option << "\n" << text);
      REQUIRE(found.validity == expected.validity);
      REQUIRE(found.entries == expected.entries);
      ++answers[expected.validity];
    }
  }
  CHECK(answers["true"] > cases / rarest);
  CHECK(answers["false"] > cases / rarest);
  CHECK(answers["unknown"] > cases / 100);
}

TEST_CASE("property: set-full: the same result as by its description") {
  for (const bool elle_compat : {false, true}) {
    compare(
        RandomAdds::Kind::kSet, 2000, 12,
        [=](const std::vector<PlainCall>& calls, bool is_linearizable) {
          return check_plain_set_full(calls, is_linearizable, elle_compat);
        },
        [=](const std::string& text, bool is_linearizable) {
          return checked(text, "set-full", is_linearizable, elle_compat);
        });
  }
}

TEST_CASE("property: counter: bounds as by their description") {
  for (const auto kind : {RandomAdds::Kind::kCounter, RandomAdds::Kind::kSignedCounter}) {
    compare(
        kind, 2000, 100,
        [=](const std::vector<PlainCall>& calls, bool elle_compat) {
          return check_plain_counter(calls, elle_compat && kind == RandomAdds::Kind::kCounter);
        },
        [=](const std::string& text, bool elle_compat) {
          return checked(text, "counter", false, elle_compat && kind == RandomAdds::Kind::kCounter);
        });
  }
}

TEST_CASE("property: counter: final sums as by their description") {
  compare(
      RandomAdds::Kind::kFinalCounter, 2000, 12,
      [](const std::vector<PlainCall>& calls, bool) { return check_plain_counter(calls, false); },
      [](const std::string& text, bool) { return checked(text, "counter", false, false); });
}

}  // namespace
}  // namespace elapid
