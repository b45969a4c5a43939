// What is demanded together must be checked together, whatever a history leaves out.
#include <catch2/catch.hpp>

#include "engine/check/check.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/model_set.h"

namespace elapid {
namespace {

Verdict verdict_of(const History& history, const CheckOptions& options) {
  Result<Verdict> result = check(history, options);
  REQUIRE(result.ok());
  return std::move(result).value();
}

/// Completions without invocations: real time orders nothing, sessions do.
History bare_stale_read() {
  HistoryBuilder builder;
  const KeyId x = builder.key(ValueId::integer(1));
  const ValueId one = ValueId::integer(1);
  const MopInput append{.kind = OpKind::kAppend, .key = x, .value = one};
  const MopInput empty{.kind = OpKind::kReadList, .key = x};
  const MopInput full{.kind = OpKind::kReadList, .key = x, .list_begin = 0, .list_length = 1};
  const auto complete = [&](std::int64_t process, const MopInput& mop) {
    REQUIRE(builder.add_event(
        {.type = EventType::kOk, .process = process, .mops = {&mop, 1}, .elements = {&one, 1}}));
  };
  complete(0, append);
  complete(0, empty);
  complete(1, full);
  return std::move(builder).build({}).value();
}

TEST_CASE("demands: session order counts beside real time") {
  // A write skew between sessions that overlap, so that real time alone does not order it.
  const History history =
      list_history("0> ax1; 0+ ax1; 1> ay1; 1+ ay1; 0> ry_; 1> rx_; 0+ ry; 1+ rx; rx1 ry1");
  CHECK(verdict_of(history, {.models = models_of({Model::kStrongSessionSerializable})}).validity ==
        Validity::kInvalid);
  CHECK(verdict_of(history,
                   {.models = models_of({Model::kStrongSessionSerializable, Model::kStrongPl2})})
            .validity == Validity::kInvalid);
}

TEST_CASE("demands: a stronger level is refuted with the weaker one, invocations or not") {
  const History history = bare_stale_read();
  CHECK(verdict_of(history, {.models = models_of({Model::kStrongSessionSerializable})}).validity ==
        Validity::kInvalid);
  CHECK(verdict_of(history, {.models = models_of({Model::kPlSs})}).validity == Validity::kInvalid);
}

TEST_CASE("demands: values written twice prove nothing about the order of versions") {
  const History history = register_history("0+ wx1; 0+ wx2; 0+ wx1");
  for (const Assumptions& assumptions :
       {Assumptions{.wfr_keys = true}, Assumptions{.sequential_keys = true},
        Assumptions{.linearizable_keys = true},
        Assumptions{.transaction_order = {{1, 0}, {3, 1}, {5, 2}}}}) {
    CHECK(verdict_of(history, {.models = models_of({Model::kPlSs}), .assumptions = assumptions})
              .validity != Validity::kInvalid);
  }
}

TEST_CASE("demands: an indeterminate completion that says nothing takes no writes back") {
  for (const char* text : {"0> ax1 ay1; 1+ rx1 ry", "0> ax1 ay1; 0?; 1+ rx1 ry"}) {
    CHECK(verdict_of(list_history(text), {.models = models_of({Model::kPl3})}).validity ==
          Validity::kInvalid);
  }
}

TEST_CASE("demands: running out of budget over other classes leaves a proved level proved") {
  // A long fork: beyond snapshot isolation, within read committed.
  const History history = list_history("ax1; ay1; 5> rx_ ry_; 6> rx_ ry_; 5+ rx1 ry; 6+ rx ry1");
  CHECK(verdict_of(history, {.models = models_of({Model::kPl2}), .budget = {.edge_visits = 1}})
            .validity == Validity::kValid);
}

}  // namespace
}  // namespace elapid
