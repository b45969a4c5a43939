#include "adapter/elle/step_text.h"

#include <catch2/catch.hpp>

#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

std::string printed(const History& history, const Step& step) {
  DocumentWriter out(Syntax::kEdn);
  write_step(out, history, step, {});
  return std::move(out).take();
}

TEST_CASE("steps of list-append") {
  const History history =
      TestHistory().txn(0, "a :x 1 ; r :x 1 ; r :y nil").txn(1, "a :x 2 ; a :y 5").build();
  Step step{.from = {0},
            .to = {1},
            .key = key_named(history, ":x"),
            .value = number(1),
            .value_after = number(2),
            .from_mop = 0,
            .to_mop = 0};

  CHECK(printed(history, step) ==
        "{:type :ww, :key :x, :value 1, :value' 2, :a-mop-index 0, :b-mop-index 0}");
  CHECK(step_reason(history, step, "T1", "T2") == "T2 appended 2 after T1 appended 1 to :x");

  step.relation = Relation::kRw;
  step.from_mop = 1;
  CHECK(printed(history, step) ==
        "{:type :rw, :key :x, :value 1, :value' 2, :a-mop-index 1, :b-mop-index 0}");
  CHECK(step_reason(history, step, "T1", "T2") == "T1 did not observe T2's append of 2 to :x");

  step = {.from = {0},
          .to = {1},
          .relation = Relation::kRw,
          .key = key_named(history, ":y"),
          .value_after = number(5),
          .from_mop = 2,
          .to_mop = 1};
  CHECK(printed(history, step) ==
        "{:type :rw, :key :y, :value :elle.list-append/init, :value' 5, :a-mop-index 2, "
        ":b-mop-index 1}");
  CHECK(step_reason(history, step, "T1", "T2") ==
        "T1 observed the initial (nil) state of :y, which T2 created by appending 5");
}

TEST_CASE("a read of an append") {
  const History history = TestHistory().txn(0, "a \"k\" 1").txn(1, "r \"k\" 1").build();
  const Step step{.from = {0},
                  .to = {1},
                  .relation = Relation::kWr,
                  .key = key_named(history, "\"k\""),
                  .value = number(1),
                  .from_mop = 0,
                  .to_mop = 0};
  CHECK(printed(history, step) ==
        "{:type :wr, :key \"k\", :value 1, :a-mop-index 0, :b-mop-index 0}");
  CHECK(step_reason(history, step, "T1", "T2") == "T2 observed T1's append of 1 to key \"k\"");
}

TEST_CASE("steps of registers") {
  const History history =
      TestHistory().txn(0, "R :x nil ; w :x 1").txn(1, "R :x 1 ; w :x 2").build();
  const KeyId key = key_named(history, ":x");
  Step step{.from = {0},
            .to = {1},
            .key = key,
            .value = number(1),
            .value_after = number(2),
            .from_mop = 1,
            .to_mop = 1};
  CHECK(printed(history, step) ==
        "{:key :x, :value 1, :value' 2, :type :ww, :a-mop-index 1, :b-mop-index 1}");
  CHECK(step_reason(history, step, "T1", "T2") ==
        "T1 set key :x to 1, and T2 set it to 2, which came later in the version order");

  step.relation = Relation::kRw;
  step.value = ValueId::none();
  step.from_mop = 0;
  CHECK(printed(history, step) ==
        "{:key :x, :value nil, :value' 2, :type :rw, :a-mop-index 0, :b-mop-index 1}");
  CHECK(step_reason(history, step, "T1", "T2") ==
        "T1 read key :x = nil, and T2 set it to 2, which came later in the version order");

  step = {.from = {0},
          .to = {1},
          .relation = Relation::kWr,
          .key = key,
          .value = number(1),
          .from_mop = 1,
          .to_mop = 0};
  CHECK(printed(history, step) == "{:type :wr, :key :x, :value 1, :a-mop-index 1, :b-mop-index 0}");
  CHECK(step_reason(history, step, "T1", "T2") == "T1 wrote :x = 1, which was read by T2");
}

TEST_CASE("a read of a register after somebody else's read of the version") {
  const History history =
      TestHistory().txn(0, "w :x 1").txn(1, "R :x 1").txn(1, "R :x nil").build();
  const Step step{.from = {0},
                  .to = {2},
                  .relation = Relation::kWr,
                  .key = key_named(history, ":x"),
                  .value = number(1),
                  .from_mop = 0,
                  .to_mop = 0};
  CHECK(step_reason(history, step, "T1", "T3") ==
        "T1 wrote :x = 1, which was read before T3 read :x = nil");
}

TEST_CASE("session order") {
  const History history = TestHistory().txn(4, "a :x 1").txn(4, "a :x 2").build();
  const Step step{.from = {0}, .to = {1}, .relation = Relation::kProcess};
  CHECK(printed(history, step) == "{:type :process, :process 4}");
  CHECK(step_reason(history, step, "T1", "T2") == "process 4 executed T1 before T2");
}

TEST_CASE("real time") {
  const Step step{.from = {0}, .to = {1}, .relation = Relation::kRealtime};
  const History timed = TestHistory()
                            .at(0)
                            .txn(0, "a :x 1")
                            .at(1234567890)
                            .invoke(1, "r :x nil")
                            .ok(1, "r :x 1")
                            .build();
  CHECK(printed(timed, step) ==
        "{:type :realtime, :a' {:index 1, :time 0, :type :ok, :process 0, :f :txn, "
        ":value [[:append :x 1]]}, :b {:index 2, :time 1234567890, :type :invoke, :process 1, "
        ":f :txn, :value [[:r :x nil]]}}");
  CHECK(step_reason(timed, step, "T1", "T2") ==
        "T1 completed at index 1, 1.235 seconds before the invocation of T2, at index 2");
  const History untimed = TestHistory().txn(0, "a :x 1").txn(1, "r :x 1").build();
  CHECK(step_reason(untimed, step, "T1", "T2") ==
        "T1 completed at index 1, just before the invocation of T2, at index 2");
}

}  // namespace
}  // namespace elapid
