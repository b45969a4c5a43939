#include "harness/minimize/neighbourhood.h"

#include <catch2/catch.hpp>
#include <vector>

#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

using Parts = std::vector<std::vector<TxnId>>;

Parts parts_of(const History& history, const std::vector<TxnId>& named) {
  return neighbourhoods(history, named);
}

TEST_CASE("parts grow from the named transactions to all that touch their keys") {
  const History history = list_history("0 ax1; 1 ax2; 2 rx12; 3 ax3; 4 ay1; 5 az1");
  CHECK(parts_of(history, {{2}}) ==
        Parts{{{2}}, {{1}, {2}}, {{0}, {1}, {2}}, {{0}, {1}, {2}, {3}}});
}

TEST_CASE("a part that is the whole is none, and equal ones are one") {
  const History history = register_history("0 wx1; 1 rx1");
  CHECK(parts_of(history, {{0}}) == Parts{{{0}}});
  CHECK(parts_of(history, {{1}, {0}}).empty());
  CHECK(parts_of(history, {}).empty());
}

TEST_CASE("what an aborted transaction attempted counts as written") {
  const History history = list_history("0> ax1; 0-; 1 rx1; 2 ay1");
  CHECK(parts_of(history, {{1}}) == Parts{{{1}}, {{0}, {1}}});
}

}  // namespace
}  // namespace elapid
