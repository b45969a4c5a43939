#include "parsers/coo/coo_format.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

TEST_CASE("schedules have items and transactions of their own") {
  const Result<History> parsed = read_text(read_coo, sample("coo/valid.txt"));
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) ==
        R"(10 ok [:r "s1/a" 0] [:w "s1/b" 1]; 11 fail [:r "s1/b" 0] [:w "s1/a" 1]; )"
        R"(20 ok [:w "s2/a" 1]; 21 ok)");
  CHECK(parsed.value().workload() == Workload::kRwRegister);
  CHECK(history.info().format == "coo");
  CHECK(history.info().initial == ValueId::integer(0));
  CHECK(history.info().assumptions.back() == "Scans, which name no item, were left out: 1.");
  CHECK(history.event({1}, EventKind::kCompletion).position.offset == 8);
}

TEST_CASE("the order of a schedule is real time") {
  const Result<History> parsed = read_text(read_coo, "R0a R1a C1 C0\nW0a\nC0\n");
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(history.info().has_real_time);
  const auto time = [&history](std::uint32_t txn, EventKind kind) {
    return *history.event({txn}, kind).time;
  };
  CHECK(time(0, EventKind::kInvocation) == 1);
  CHECK(time(0, EventKind::kCompletion) == 4);
  CHECK(time(1, EventKind::kInvocation) == 2);
  CHECK(time(1, EventKind::kCompletion) == 3);
  CHECK(history.status({2}) == TxnStatus::kIndeterminate);
  CHECK(time(2, EventKind::kCompletion) == 5);
  CHECK(time(3, EventKind::kInvocation) == 6);
}

TEST_CASE("the dialect of schedules is the policy of their reads") {
  const std::string schedule = "R1a W0a R1a C0 R1a C1\n";
  const auto reads = [](const char* first, const char* second, const char* third) {
    return std::string("11 ok [:r \"s1/a\" ") + first + "] [:r \"s1/a\" " + second +
           "] [:r \"s1/a\" " + third + "]; 10 ok [:w \"s1/a\" 1]";
  };
  CHECK(outcome(read_coo, schedule) == reads("0", "0", "1"));
  CHECK(outcome(read_coo, schedule, "read-committed") == reads("0", "0", "1"));
  CHECK(outcome(read_coo, schedule, "read-uncommitted") == reads("0", "1", "1"));
  CHECK(outcome(read_coo, schedule, "repeatable-read") == reads("0", "0", "0"));
  for (const std::string dialect : {"read-committed", "read-uncommitted", "repeatable-read"}) {
    const Result<History> parsed = read_text(read_coo, schedule, dialect);
    REQUIRE(parsed);
    CHECK(parsed.value().info().assumptions.front().ends_with("(policy " + dialect + ")."));
  }
}

TEST_CASE("blanks in schedules and lines without one mean nothing") {
  CHECK(outcome(read_coo, sample("coo/ok-adjacent-tokens.txt")) ==
        R"(10 ok [:w "s1/a" 1]; 11 ok [:r "s1/a" 1])");
  CHECK(outcome(read_coo, sample("coo/ok-trailing-space.txt")) == R"(10 ok [:r "s1/a" 0])");
  CHECK(outcome(read_coo, " \t\r\n\n  R5c  C5\r\n") == R"(35 ok [:r "s3/c" 0])");
}

TEST_CASE("broken schedules are refused where they break") {
  CHECK(outcome(read_coo, sample("coo/bad-truncates-silently.txt")) ==
        "input:1:8: expected an operation R, W, C, A or S, found `X`");
  CHECK(outcome(read_coo, sample("coo/bad-upper-item.txt")) ==
        "input:1:3: expected an item, a to z, found `A`");
  CHECK(outcome(read_coo, "C0\nR C0\n") ==
        "input:2:2: expected a transaction, one digit, found a blank");
  CHECK(outcome(read_coo, "R10a\n") ==
        "input:1:1: expected a transaction of one digit, found `R10a`");
  CHECK(outcome(read_coo, "R1\n") ==
        "input:1:3: expected an item, a to z, found the end of the line");
  CHECK(outcome(read_coo, "R1a C1 W1a\n") ==
        "input:1:8: expected no operation of transaction 1, which has ended, found `W1a`");
  CHECK(outcome(read_coo, "C1 S1\n") ==
        "input:1:4: expected no operation of transaction 1, which has ended, found `S1`");
  CHECK(outcome(read_coo, "A1 C1\n") ==
        "input:1:4: expected no operation of transaction 1, which has ended, found `C1`");
  CHECK(outcome(read_coo, std::string("R0a\0C0\n", 7)) ==
        "input:1:4: expected an operation R, W, C, A or S, found `?C0`");
}

TEST_CASE("salvage keeps whole schedules only") {
  CHECK(outcome(read_coo, "W0a C0\nW0a C0 R1a x", "", {.salvage = true}) ==
        R"(10 ok [:w "s1/a" 1])");
  check_cuts(read_coo, sample("coo/valid.txt"));
}

}  // namespace
}  // namespace elapid
