#include "engine/graph/search_budget.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("budget: what is not there cannot be spent, and then nothing is left") {
  SearchBudget budget(10);
  CHECK(budget.spend(10));
  CHECK(budget.exhausted());
  CHECK_FALSE(budget.spend(1));
  SearchBudget other(10);
  CHECK_FALSE(other.spend(11));
  CHECK(other.exhausted());
}

TEST_CASE("budget: a part is taken out and what it did not spend comes back") {
  SearchBudget budget(10);
  SearchBudget part = budget.split_off(6);
  CHECK(part.spend(2));
  CHECK_FALSE(budget.spend(5));
  budget.rejoin(part);
  CHECK(budget.spend(4));
  CHECK(budget.exhausted());
}

TEST_CASE("budget: an interruption ends it at the next poll") {
  int polls = 0;
  SearchBudget budget(1'000'000'000, {}, [&] { return ++polls < 2; });
  CHECK(budget.spend(70'000));
  CHECK(budget.spend(1));
  CHECK_FALSE(budget.spend(70'000));
  CHECK(polls == 2);
  CHECK(budget.exhausted());
}

TEST_CASE("budget: so does a deadline") {
  SearchBudget budget(1'000'000'000, SearchBudget::Clock::now());
  CHECK(budget.spend(1));
  CHECK_FALSE(budget.spend(100'000));
}

}  // namespace
}  // namespace elapid
