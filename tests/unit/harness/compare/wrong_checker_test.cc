// The checker of examples/checkers is wrong: random histories find that out, and shrink to why.
#include <catch2/catch.hpp>

#include "harness/compare/agreement.h"
#include "harness/compare/checker_reader.h"
#include "harness/compare/compare.h"
#include "harness/minimize/minimize.h"
#include "tests/support/random_history.h"

namespace elapid {
namespace {

Participant wrong_checker() {
  Result<std::vector<Checker>> read =
      read_checkers(ELAPID_TEST_DATA "/../../examples/checkers/last_writer_wins.json");
  REQUIRE(read);
  return {.checker = read.value().front()};
}

CheckerAnswer ask(const History& history, const Participant& participant) {
  const CompareSettings settings = {.limits = {.time = std::chrono::minutes(1)}};
  Result<ShownHistory> shown = ShownHistory::create(history, settings);
  REQUIRE(shown);
  return shown.value().ask(participant, Model::kPlSi);
}

/// Whether the wrong checker rejects a history that Elapid proves valid.
bool is_rejected_wrongly(const History& history, const Participant& wrong) {
  const Participant own = {.checker = builtin_checkers().front()};
  return ask(history, own).outcome == Outcome::kValid &&
         ask(history, wrong).outcome == Outcome::kInvalid;
}

}  // namespace

TEST_CASE("compare: an unsound shortcut is exposed by a random history, and made small") {
  const Participant wrong = wrong_checker();
  std::uint64_t seed = 48;  // the first one that shows it, so that the test is quick
  const auto next_found = [&] {
    for (;; ++seed) {
      History history = build(random_history(Workload::kRwRegister, seed));
      if (is_rejected_wrongly(history, wrong)) {
        return history;
      }
      REQUIRE(seed < 248);
    }
  };
  const History history = next_found();
  INFO("seed " << seed);
  const Keeps keeps = [&](const History& candidate) -> Result<bool> {
    return is_rejected_wrongly(candidate, wrong);
  };
  const Result<Minimized> small = minimize(history, keeps, {.is_known_to_hold = true});
  REQUIRE(small);
  CHECK(small.value().is_one_minimal);
  CHECK(small.value().history.txn_count() <= 3);
  CHECK(is_rejected_wrongly(small.value().history, wrong));
}

}  // namespace elapid
