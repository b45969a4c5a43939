#include "engine/advise/observed.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "engine/advise/interleaving.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

using advise::Level;
using advise::ObservedApplication;

ObservedApplication observed(const std::string& text) {
  return advise::observed_application(list_history(text),
                                      [](TxnId txn) { return "T" + std::to_string(txn.value); });
}

TEST_CASE("Each committed transaction is a program of its own") {
  const ObservedApplication found = observed("ax1 ry; -ay2; 3? ay3; ry ay4");
  CHECK(found.uncovered.empty());
  CHECK(found.left_out == 2);
  REQUIRE(found.application.transactions.size() == 2);
  CHECK(found.application.is_once);
  CHECK(found.application.programs.size() == 2);
  CHECK(found.application.items == std::vector<std::string>{":x", ":y"});
  const std::vector<advise::Operation>& operations = found.application.transactions[1].operations;
  REQUIRE(operations.size() == 2);
  CHECK(operations[0].reads == std::vector<advise::ItemId>{1});
  CHECK(operations[1].writes == std::vector<advise::ItemId>{1});
}

TEST_CASE("A key that is written and then met again is not covered") {
  CHECK(observed("ax1 ax2").uncovered == "it writes key :x after writing it");
  CHECK(observed("ay1; ax1 rx1").uncovered == "it reads key :x after writing it");
  CHECK(observed("ay1; ax1 rx1").uncovered_by.value == 1);
}

TEST_CASE("A lost update that did not happen, carried out") {
  const ObservedApplication found = observed("rx ax1; rx1 ax2");
  const advise::Advice advice = *advise::advise(
      found.application, {Level::kReadCommitted, Level::kSnapshot, Level::kSerializable},
      [] { return true; });
  CHECK(advice.levels() == std::vector<Level>{Level::kSnapshot, Level::kSnapshot});
  REQUIRE(advice.programs[0].reason.has_value());
  const advise::Interleaving made = carry_out(found.application, *advice.programs[0].reason);
  REQUIRE(made.steps.size() == 6);
  CHECK(made.steps[0].found.front().second.empty());
  CHECK(made.steps[3].participant == 1);
  CHECK_FALSE(made.steps[3].operation.has_value());
  CHECK(made.finally == std::vector<advise::FoundItem>{{0, {1, 0}}});
  REQUIRE(made.edges.size() == 2);
  CHECK(made.edges[0].relation == "rw");
  CHECK(made.edges[1].relation == "ww");
}

}  // namespace
}  // namespace elapid
