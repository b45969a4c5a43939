#include "parsers/awdit/awdit_format.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

TEST_CASE("rulers divide sessions and transactions") {
  const Result<History> parsed = read_text(read_awdit, sample("awdit/valid.txt"));
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == "0 ok [:w 1 1] [:r 2 0]; 0 ok [:r 1 1]; 1 ok [:w 2 2]");
  CHECK(parsed.value().workload() == Workload::kRwRegister);
  CHECK(history.info().format == "awdit");
  CHECK(history.info().initial.is_none());
  CHECK(history.info().initial_txn.is_none());
  CHECK(history.event({1}, EventKind::kCompletion).position.offset == 14);
}

TEST_CASE("empty sessions and transactions do not count") {
  const std::string expected = "0 ok [:w 1 1]; 0 ok [:w 1 2]; 1 ok [:w 1 3]";
  CHECK(outcome(read_awdit, "=====\n---\n\nw 1 1\n------\n-\nw 1 2\n===\n-\n=\n\nw 1 3\n=\n") ==
        expected);
  CHECK(outcome(read_awdit, "w 1 1 - w 1 2=w 1 3\r\n") == expected);
  CHECK(outcome(read_awdit, "w 1 1-\tw 1 2 and more words==\n w\t1  3 x") == expected);
}

TEST_CASE("a first transaction that writes every key is the initial state of an AWDIT test") {
  const Result<History> parsed = read_text(read_awdit, "w 1 0\nw 2 0\n=\nr 1 0\nw 2 1\n");
  REQUIRE(parsed);
  CHECK(parsed.value().info().initial_txn == TxnId{0});
  const Result<History> given = read_text(read_awdit, "w 1 0\n=\nr 1 0\n", "", {.initial = "0"});
  REQUIRE(given);
  CHECK(given.value().info().initial_txn.is_none());
  CHECK(given.value().info().initial == ValueId::integer(0));
}

TEST_CASE("lines that are no operations of AWDIT are refused") {
  CHECK(outcome(read_awdit, sample("awdit/bad-event.txt")) ==
        "input:1:1: expected an operation `r KEY VALUE` or `w KEY VALUE`, found `x`");
  CHECK(outcome(read_awdit, "w 1 1\n  write 1 1\n") ==
        "input:2:4: expected a key, a natural number below 2^64, found `rite`");
  CHECK(outcome(read_awdit, "w 1\n") ==
        "input:1:4: expected a value, a natural number below 2^64, found the end of the line");
  CHECK(outcome(read_awdit, "w 1 -2\n") ==
        "input:1:5: expected a value, a natural number below 2^64, found `-2`");
  CHECK(outcome(read_awdit, "w 1 18446744073709551616\n") ==
        "input:1:5: expected a value, a natural number below 2^64, found `18446744073709551616`");
  CHECK(outcome(read_awdit, "w 1 2x\n") ==
        "input:1:6: expected a blank behind the value, found `x`");
}

TEST_CASE("a second operation on a line of an AWDIT test is refused, as it would be lost") {
  CHECK(outcome(read_awdit, "w 1 1\nw 1 1 r 1 2\n") ==
        "input:2:7: expected each operation on a line of its own, found `r`");
  CHECK(outcome(read_awdit, "w 1 1 at once w\n") ==
        "input:1:15: expected each operation on a line of its own, found `w`");
  CHECK(outcome(read_awdit, "w 1 1 read wrote - r 1 1\n") == "0 ok [:w 1 1]; 0 ok [:r 1 1]");
}

TEST_CASE("keys and values of AWDIT go up to 2^64") {
  CHECK(outcome(read_awdit, "w 18446744073709551615 9223372036854775807\n") ==
        "0 ok [:w 18446744073709551615N 9223372036854775807]");
}

TEST_CASE("AWDIT's tests cut short anywhere") {
  check_cuts(read_awdit, sample("awdit/valid.txt"));
}

TEST_CASE("a last line of AWDIT without a newline is remarked upon") {
  const Result<History> parsed = read_text(read_awdit, "w 1 1\nw 1 2");
  REQUIRE(parsed);
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{
            "the last line has no newline: its last word may have been cut short"});
}

}  // namespace
}  // namespace elapid
