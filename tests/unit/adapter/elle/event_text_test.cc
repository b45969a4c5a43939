#include "adapter/elle/event_text.h"

#include <catch2/catch.hpp>

#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

std::string printed(const History& history, EventRef event, const EventFieldsFn& fields = {},
                    Syntax syntax = Syntax::kEdn) {
  DocumentWriter out(syntax);
  write_event(out, history, event, fields);
  return std::move(out).take();
}

TEST_CASE("a completion prints as Jepsen's map, a missing time as -1") {
  const History history = TestHistory().txn(3, "a :x 1 ; r 7 1,2 ; r :y nil ; r :z []").build();
  CHECK(printed(history, {{0}, EventKind::kCompletion}) ==
        "{:index 1, :time -1, :type :ok, :process 3, :f :txn, "
        ":value [[:append :x 1] [:r 7 [1 2]] [:r :y nil] [:r :z []]]}");
}

TEST_CASE("an invocation does not know what its reads return") {
  const History history = TestHistory()
                              .at(5)
                              .invoke(0, "r :x nil ; w :x 1 ; R :y nil")
                              .at(7)
                              .ok(0, "r :x 1,2 ; w :x 1 ; R :y 9")
                              .build();
  CHECK(printed(history, {{0}, EventKind::kInvocation}) ==
        "{:index 0, :time 5, :type :invoke, :process 0, :f :txn, "
        ":value [[:r :x nil] [:w :x 1] [:r :y nil]]}");
  CHECK(printed(history, {{0}, EventKind::kCompletion}) ==
        "{:index 1, :time 7, :type :ok, :process 0, :f :txn, "
        ":value [[:r :x [1 2]] [:w :x 1] [:r :y 9]]}");
}

TEST_CASE("an invocation of another shape prints as it was") {
  const History history = TestHistory().invoke(0, "a :x 1 ; a :x 2").info(0, "a :x 1").build();
  CHECK(printed(history, {{0}, EventKind::kInvocation})
            .ends_with("[[:append :x 1] [:append :x 2]]}"));
  CHECK(printed(history, {{0}, EventKind::kCompletion}).ends_with("[[:append :x 1]]}"));
}

TEST_CASE("a transaction without completion is represented by its invocation") {
  const History history = TestHistory().invoke(0, "a :x 1").build();
  const EventRef event = representative_ref(history, {0});
  CHECK(event.kind == EventKind::kInvocation);
  CHECK(printed(history, event) ==
        "{:index 0, :time -1, :type :invoke, :process 0, :f :txn, :value [[:append :x 1]]}");
}

TEST_CASE("failed and indeterminate completions") {
  const History history = TestHistory()
                              .invoke(0, "a :x 1")
                              .fail(0, "a :x 1")
                              .invoke(1, "w :x 2")
                              .info(1, "w :x 2")
                              .build();
  CHECK(printed(history, {{0}, EventKind::kCompletion}) ==
        "{:index 1, :time -1, :type :fail, :process 0, :f :txn, :value [[:append :x 1]]}");
  CHECK(printed(history, {{1}, EventKind::kCompletion}) ==
        "{:index 3, :time -1, :type :info, :process 1, :f :txn, :value [[:w :x 2]]}");
}

TEST_CASE("f and further keys come from the source") {
  const History history = TestHistory().txn(0, "a :x 1").build();
  const EventFieldsFn fields = [](TxnId, EventKind kind) {
    return kind == EventKind::kCompletion
               ? EventFields{.f = "nil", .extras = {{":node", "\"n1\""}, {":error", "[:t 1]"}}}
               : EventFields{};
  };
  CHECK(printed(history, {{0}, EventKind::kCompletion}, fields) ==
        "{:index 1, :time -1, :type :ok, :process 0, :f nil, :value [[:append :x 1]], "
        ":node \"n1\", :error [:t 1]}");
  CHECK(printed(history, {{0}, EventKind::kCompletion}, fields, Syntax::kJson) ==
        R"({"index": 1, "time": -1, "type": "ok", "process": 0, "f": null, )"
        R"("value": [["append", "x", 1]], "node": "n1", "error": ["t", 1]})");
}

}  // namespace
}  // namespace elapid
