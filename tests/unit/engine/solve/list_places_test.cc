#include "engine/solve/list_places.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

#include "engine/solve/problem.h"
#include "engine/solve/solve.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

/// So many append the same element, and one reads them all: each may stand anywhere.
History same_appends(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    text += "ax1; ";
  }
  return list_history(text + "rx" + std::string(count, '1'));
}

TEST_CASE("list places: no further places are looked for once it is told to stop") {
  const History history = same_appends(400);
  std::size_t questions = 0;
  const OrderProblem problem(history, {}, [&] { return ++questions < 2; });
  CHECK(questions == 2);
  CHECK(problem.lists().was_stopped());
  CHECK(problem.lists().places().empty());
  CHECK(problem.unclear().find("the budget was reached") == 0);
}

TEST_CASE("list places: what was not placed leaves the level open") {
  const History history = same_appends(400);
  const SolveResult result = solve(
      history, {.level = {Visibility::kSerial, false, false}, .keep_going = [] { return false; }});
  CHECK(result.validity == Validity::kUnknown);
  CHECK(result.is_out_of_budget);
  CHECK_FALSE(result.refutation);
}

TEST_CASE("list places: all are found where nothing stops it") {
  const History history = same_appends(40);
  const OrderProblem problem(history, {}, [] { return true; });
  CHECK(problem.unclear().empty());
  CHECK_FALSE(problem.lists().was_stopped());
  CHECK(problem.lists().places().size() == std::size_t{40} * 40);
}

}  // namespace
}  // namespace elapid
