#include "parsers/coo/coo_format.h"

#include <catch2/catch.hpp>
#include <string>

#include "engine/rows/rows.h"
#include "tests/unit/parsers/rows_summary.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

TEST_CASE("schedules have items and transactions of their own") {
  const Result<History> parsed =
      read_text(read_coo, sample("coo/valid.txt"), "", {.workload = Workload::kRwRegister});
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

/// The history of rows in short, or the error.
std::string read_scans(const std::string& text, const std::string& dialect = "") {
  const Result<History> parsed = read_text(read_coo, text, dialect);
  return parsed ? rows_summary(parsed.value()) : parsed.error().to_string();
}

TEST_CASE("schedules with scans are rows") {
  CHECK(read_scans("W0a R1b C0 S1 W1b S1 A1\nS0 R0a\n") ==
        R"(0 ok [:insert "s1/a" {:schedule 1 :version 0}] )"
        R"([:insert "s1/b" {:schedule 1 :version 0}] )"
        R"([:insert "s2/a" {:schedule 2 :version 0}]; )"
        R"(10 ok [:put "s1/a" {:version 1}]; )"
        R"(11 fail [:r "s1/b" {:version 0}] )"
        R"([:rp [:and [:= :schedule 1] [:mod :version 2 0]] {"s1/b" {:version 0}}] )"
        R"([:put "s1/b" {:version 1}] [:rp [:and [:= :schedule 1] [:mod :version 2 0]] {}]; )"
        R"(20 info [:rp [:and [:= :schedule 2] [:mod :version 2 0]] {"s2/a" {:version 0}}] )"
        R"([:r "s2/a" {:version 0}])");
  const auto seen = [](const char* dialect) {
    const std::string all = read_scans("W0a S1 W0a S1 C0 S1 C1", dialect);
    std::string scans;
    for (std::size_t at = 0; (at = all.find(":version 2 0]] ", at)) != std::string::npos; ++at) {
      scans += all.substr(at + 15, all.find(']', at + 15) - at - 15) + ' ';
    }
    return scans;
  };
  CHECK(seen("read-committed") ==
        R"({"s1/a" {:version 0}} {"s1/a" {:version 0}} {"s1/a" {:version 2}} )");
  CHECK(seen("read-uncommitted") == R"({} {"s1/a" {:version 2}} {"s1/a" {:version 2}} )");
  CHECK(seen("repeatable-read") ==
        R"({"s1/a" {:version 0}} {"s1/a" {:version 0}} {"s1/a" {:version 0}} )");
}

TEST_CASE("what is there at the beginning comes before all schedules with scans") {
  const Result<History> parsed = read_text(read_coo, "W0a C0 S1 C1\nR0a\n");
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(history.info().has_real_time);
  CHECK(history.info().initial_txn == TxnId{0});
  CHECK(history.info().rows->is_closed());
  CHECK(history.info().predicates == 0);
  CHECK(*history.event({0}, EventKind::kCompletion).time == 0);
  CHECK(*history.event({1}, EventKind::kInvocation).time == 1);
  CHECK(*history.event({3}, EventKind::kCompletion).time == 5);
  CHECK(history.info().assumptions.back() ==
        "A scan is taken to read, by the same policy, those items of its schedule whose version is "
        "even, as 3TS does.");
  const Result<History> asked = read_text(read_coo, "W0a C0\n", "", {.workload = Workload::kRows});
  REQUIRE(asked);
  CHECK(rows_summary(asked.value()) ==
        R"(0 ok [:insert "s1/a" {:schedule 1 :version 0}]; 10 ok [:put "s1/a" {:version 1}])");
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
  check_cuts(read_coo, "R0a W0b R1b C0 W1a A1\nW0a C0 R1a C1\n");
  CHECK(read_scans("W0a C0\nS0 C0 x").starts_with("input:2:7: "));
  const Result<History> parsed = read_text(read_coo, "S0 C0\nS0 C0 x", "", {.salvage = true});
  REQUIRE(parsed);
  CHECK(rows_summary(parsed.value()) ==
        "0 ok; 10 ok [:rp [:and [:= :schedule 1] [:mod :version 2 0]] {}]");
}

}  // namespace
}  // namespace elapid
