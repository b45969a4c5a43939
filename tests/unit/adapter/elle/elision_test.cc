#include "adapter/elle/elision.h"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

std::vector<ValueId> count_to(std::int64_t last) {
  std::vector<ValueId> list;
  for (std::int64_t n = 1; n <= last; ++n) {
    list.push_back(number(n));
  }
  return list;
}

std::string elided(std::int64_t last, const std::vector<ValueId>& focus) {
  const History history = TestHistory().build();
  return elided_list(history, count_to(last), focus);
}

TEST_CASE("short lists stay whole") {
  CHECK(elided(0, {}) == "[]");
  CHECK(elided(8, {number(2)}) == "[1 2 3 4 5 6 7 8]");
}

TEST_CASE("long lists show the neighbours of what matters") {
  CHECK(elided(1000, {number(953)}) == "[… 951 952 953 954 955 …]");
  CHECK(elided(1000, {number(1)}) == "[1 2 3 …]");
  CHECK(elided(1000, {number(1000)}) == "[… 998 999 1000]");
  CHECK(elided(1000, {number(4), number(8), number(500)}) ==
        "[… 2 3 4 5 6 7 8 9 10 … 498 499 500 501 502 …]");
}

TEST_CASE("without an element in focus the end is shown") {
  CHECK(elided(100, {}) == "[… 98 99 100]");
  CHECK(elided(100, {ValueId::none()}) == "[… 98 99 100]");
  CHECK(elided(100, {number(7), ValueId::none()}) == "[… 5 6 7 8 9 … 98 99 100]");
  CHECK(elided(100, {number(777)}) == "[… 98 99 100]");
}

TEST_CASE("an event shows the operations in focus only") {
  const History history =
      TestHistory().txn(0, "a :a 1 ; a :b 1 ; r :x 1,2,3,4,5,6,7,8,9,10,11 ; a :c 1").build();
  const EventRef event{{0}, EventKind::kCompletion};
  const std::vector<Focus> focus = {{2, number(11)}};
  CHECK(elided_event(history, event, {}, focus) ==
        "{:index 1, :time -1, :type :ok, :process 0, :f :txn, :value [… [:r :x [… 9 10 11]] …]}");
  CHECK(elided_event(history, event, {}, {}).ends_with(":value […]}"));
  const EventFieldsFn fields = [](TxnId, EventKind) {
    return EventFields{.extras = {{":node", "\"n1\""}, {":trace", std::string(500, 'x')}}};
  };
  CHECK(elided_event(history, event, fields, {}).ends_with("[…], :node \"n1\", :trace …}"));
}

}  // namespace
}  // namespace elapid
