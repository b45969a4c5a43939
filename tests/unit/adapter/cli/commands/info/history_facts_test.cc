#include "adapter/cli/commands/info/history_facts.h"

#include <catch2/catch.hpp>

#include "tests/unit/adapter/cli/placed_history.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

History sample() {
  Result<History> history = PlacedHistory()
                                .txn(EventType::kOk, 0, {append(1, 1), append(2, 1)})
                                .txn(EventType::kFail, 1, {append(1, 2)})
                                .txn(EventType::kOk, 1, {read_list(1, {1, 2, 3})})
                                .event(EventType::kInvoke, 0, {append(1, 3)})
                                .build();
  REQUIRE(history);
  return std::move(history).value();
}

HistoryOrigin origin() {
  return {.path = "tiny.edn",
          .format = "edn",
          .format_reason = "made by a test",
          .workload = "list-append"};
}

TEST_CASE("facts count transactions by status and operations by kind") {
  const HistoryFacts facts = gather_facts(sample());
  CHECK(facts.committed == 2);
  CHECK(facts.aborted == 1);
  CHECK(facts.indeterminate == 1);
  CHECK(facts.count(OpKind::kAppend) == 4);
  CHECK(facts.count(OpKind::kReadList) == 1);
  CHECK(facts.longest_list == 3);
  CHECK(facts.time_span_ns == 6'000'000'000U);
}

TEST_CASE("facts read as aligned lines") {
  const std::string text = facts_text(origin(), sample(), {});
  CHECK_THAT(text, Contains("tiny.edn\n"));
  CHECK_THAT(text, Contains("  format        edn: made by a test\n"));
  CHECK_THAT(text, Contains("  transactions  4 (2 committed, 1 aborted, 1 indeterminate)\n"));
  CHECK_THAT(text, Contains("  operations    5 (1 list-reads, 4 appends)\n"));
  CHECK_THAT(text, Contains("  time span     6.000 s\n"));
}

TEST_CASE("facts print as EDN and as JSON") {
  const std::string edn = facts_map(origin(), sample(), {}, Syntax::kEdn);
  CHECK_THAT(edn, Contains(":file \"tiny.edn\""));
  CHECK_THAT(edn, Contains(":transactions {:committed 2, :aborted 1, :indeterminate 1}"));
  const std::string json = facts_map(origin(), sample(), {}, Syntax::kJson);
  CHECK_THAT(json, Contains("\"workload\": \"list-append\""));
  CHECK_THAT(json, Contains("\"time-span-ns\": 6000000000"));
}

TEST_CASE("an empty history has no time span") {
  Result<History> empty = PlacedHistory().build();
  REQUIRE(empty);
  CHECK_FALSE(gather_facts(empty.value()).time_span_ns);
  CHECK_THAT(facts_map(origin(), empty.value(), {}, Syntax::kEdn), Contains(":time-span-ns nil"));
}

}  // namespace
}  // namespace elapid
