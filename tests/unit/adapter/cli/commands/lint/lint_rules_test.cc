#include "adapter/cli/commands/lint/lint_rules.h"

#include <catch2/catch.hpp>

#include "tests/unit/adapter/cli/placed_history.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

constexpr EventType kOk = EventType::kOk;
constexpr EventType kFail = EventType::kFail;
constexpr EventType kInfo = EventType::kInfo;

/// Rule and place of each finding.
std::vector<std::pair<std::string, std::uint64_t>> places(
    const std::vector<LintFinding>& findings) {
  std::vector<std::pair<std::string, std::uint64_t>> places;
  for (const LintFinding& finding : findings) {
    places.emplace_back(finding.rule, finding.position.offset);
  }
  return places;
}

using Places = std::vector<std::pair<std::string, std::uint64_t>>;

TEST_CASE("a history without doubts has no findings") {
  const auto history = PlacedHistory()
                           .txn(kOk, 0, {append(1, 1)})
                           .txn(kInfo, 1, {append(1, 2)})
                           .txn(kOk, 0, {read_list(1, {1, 2})})
                           .build();
  REQUIRE(history);
  CHECK(garbage_reads(history.value()).empty());
  CHECK(duplicate_writes(history.value()).empty());
  CHECK(reader_findings(history.value()).empty());
}

TEST_CASE("an element that no transaction appended is found once, at its first read") {
  const auto history = PlacedHistory()
                           .txn(kOk, 0, {append(1, 1)})
                           .txn(kOk, 0, {read_list(1, {1, 9})})
                           .txn(kOk, 0, {read_list(1, {1, 9, 8})})
                           .txn(kOk, 0, {read_list(1, {1})})
                           .build();
  REQUIRE(history);
  const std::vector<LintFinding> findings = garbage_reads(history.value());
  CHECK(places(findings) == Places{{"unwritten-value", 30}, {"unwritten-value", 50}});
  CHECK_THAT(findings[0].message, Contains("reads 9 of key 1"));
}

TEST_CASE("elements of reads that contradict one another are looked at as well") {
  const auto history = PlacedHistory()
                           .txn(kOk, 0, {append(1, 1), append(1, 2)})
                           .txn(kOk, 0, {read_list(1, {1, 2})})
                           .txn(kOk, 0, {read_list(1, {2, 7})})
                           .build();
  REQUIRE(history);
  CHECK(places(garbage_reads(history.value())) == Places{{"unwritten-value", 50}});
}

TEST_CASE("an unwritten value of a register is found, and aborted writes count as written") {
  const auto history = PlacedHistory()
                           .txn(kFail, 0, {write(1, 1)})
                           .txn(kOk, 0, {read(1, 1)})
                           .txn(kOk, 0, {read(2, 5)})
                           .build();
  REQUIRE(history);
  CHECK(places(garbage_reads(history.value())) == Places{{"unwritten-value", 50}});
}

TEST_CASE("reads of aborted and indeterminate transactions carry no information") {
  const auto history =
      PlacedHistory().txn(kFail, 0, {read(1, 1)}).txn(kInfo, 1, {read(1, 2)}).build();
  REQUIRE(history);
  CHECK(garbage_reads(history.value()).empty());
}

TEST_CASE("a value written twice is found with the place of the first write") {
  const auto history = PlacedHistory()
                           .txn(kOk, 0, {append(1, 1)})
                           .txn(kOk, 0, {append(2, 1)})
                           .txn(kFail, 0, {append(1, 1)})
                           .build();
  REQUIRE(history);
  const std::vector<LintFinding> findings = duplicate_writes(history.value());
  CHECK(places(findings) == Places{{"duplicate-write", 40}});
  REQUIRE(findings[0].other);
  CHECK(findings[0].other->offset == 0);
}

TEST_CASE("a failure whose error does not exclude an effect is found") {
  const auto history = PlacedHistory()
                           .txn(kFail, 0, {append(1, 1)})
                           .txn(kFail, 0, {append(1, 2)})
                           .txn(kFail, 0, {append(1, 3)})
                           .txn(kInfo, 0, {append(1, 4)})
                           .build();
  REQUIRE(history);
  const auto error = [](SourcePosition position) -> Result<std::optional<std::string>> {
    if (position.offset == 10) {
      return std::optional<std::string>(":conflict");
    }
    return position.offset == 30 ? std::optional<std::string>() : "[:Socket-Timeout \"read\"]";
  };
  const auto findings = doubtful_failures(history.value(), error);
  REQUIRE(findings);
  CHECK(places(findings.value()) == Places{{"doubtful-fail", 50}});
  CHECK_THAT(findings.value()[0].message, Contains("Socket-Timeout"));
}

TEST_CASE("what the reader noticed is passed on") {
  const auto history = PlacedHistory()
                           .event(kOk, 0, {append(1, 1)})
                           .event(EventType::kInvoke, 0, {append(1, 2)})
                           .event(kOk, 0, {append(1, 3)})
                           .build();
  REQUIRE(history);
  CHECK(places(reader_findings(history.value())) ==
        Places{{"missing-invocation", 0}, {"shape-mismatch", 10}});
}

TEST_CASE("all rules together report in the order of the source") {
  const auto history = PlacedHistory()
                           .event(kOk, 0, {append(1, 1)})
                           .txn(kOk, 0, {read_list(1, {1, 9})})
                           .txn(kOk, 0, {append(1, 1)})
                           .build();
  REQUIRE(history);
  const auto findings = lint(history.value(), [](SourcePosition) {
    return Result<std::optional<std::string>>(std::optional<std::string>());
  });
  REQUIRE(findings);
  CHECK(places(findings.value()) ==
        Places{{"missing-invocation", 0}, {"unwritten-value", 20}, {"duplicate-write", 30}});
}

}  // namespace
}  // namespace elapid
