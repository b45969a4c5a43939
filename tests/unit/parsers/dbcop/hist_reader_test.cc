#include "parsers/dbcop/readers.h"

#include <catch2/catch.hpp>
#include <string>

#include "parsers/dbcop/dbcop_format.h"
#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

std::string hist_outcome(const std::string& text, const ReadOptions& options = {}) {
  return outcome(read_dbcop, text, "hist", options);
}

TEST_CASE("the sample of .hist text is read") {
  const Result<History> parsed = read_text(read_dbcop, sample("dbcop/valid.hist"));
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) ==
        R"(1 ok [:w "x" 1] [:w "y" 1]; 1 ok [:r "y" 1] [:w "x" 2]; 1 fail [:w "x" 9]; )"
        R"(2 ok [:r "x" 1] [:r "z" nil])");
  CHECK(history.info().format == "dbcop");
  CHECK(history.info().initial.is_nil());
  CHECK(history.event({1}, EventKind::kCompletion).position.offset == 25);
  CHECK(remarks(parsed.value()).empty());
}

TEST_CASE("blanks, comments and separators of .hist text") {
  CHECK(hist_outcome(" \t[x:=1]\t[x:=2][x:=3 \t y:=4]  \n\n  \n//[\n[x==3]\n") ==
        R"(1 ok [:w "x" 1]; 1 ok [:w "x" 2]; 1 ok [:w "x" 3] [:w "y" 4]; 1 ok [:r "x" 3])");
  CHECK(hist_outcome("-\n \t--- \n[x:=1]\n") == R"(3 ok [:w "x" 1])");
  CHECK(hist_outcome("").empty());
}

TEST_CASE("variables of .hist text are words") {
  CHECK(hist_outcome("[_a1:=1 7==2 gr\xc3\xb6\xc3\x9f"
                     "e==?]\n") ==
        "1 ok [:w \"_a1\" 1] [:r \"7\" 2] [:r \"gr\xc3\xb6\xc3\x9f"
        "e\" nil]");
  CHECK(hist_outcome("[a\xff:=1]\n") == "input:1:3: expected `:=` or `==`, found `?:=1]`");
}

TEST_CASE("version 0 of .hist text is initial where no transaction writes it") {
  CHECK(hist_outcome("[x==0 y==0 y:=0]\n") == R"(1 ok [:r "x" nil] [:r "y" 0] [:w "y" 0])");
  CHECK(hist_outcome("[x==0 y==?]\n", {.initial = "3"}) == R"(1 ok [:r "x" 0] [:r "y" 3])");
}

TEST_CASE("text that is no history of dbcop is refused") {
  const std::string no_txn =
      "expected a transaction as [x:=1 y==2], a comment or a separator, found ";
  CHECK(outcome(read_dbcop, sample("dbcop/bad-empty-txn.hist"), "hist") ==
        "input:1:2: expected a variable, found `]`");
  CHECK(hist_outcome("x:=1\n") == "input:1:1: " + no_txn + "`x:=1`");
  CHECK(hist_outcome("[x:=1]\n [x:=2] !\n") == "input:2:9: " + no_txn + "`!`");
  CHECK(hist_outcome(" // a\n") == "input:1:2: " + no_txn + "`//`");
  CHECK(hist_outcome("--- a\n") == "input:1:1: " + no_txn + "`---`");
  CHECK(hist_outcome("[ x:=1]\n") == "input:1:2: expected a variable, found a blank");
  CHECK(hist_outcome("[x:=1 ]\n") == "input:1:7: expected a variable, found `]`");
  CHECK(hist_outcome("[x=1]\n") == "input:1:3: expected `:=` or `==`, found `=1]`");
  CHECK(hist_outcome("[x:=1y:=2]\n") ==
        "input:1:6: expected a blank or `]` behind the event, found `y:=2]`");
  CHECK(hist_outcome("[x:=?]\n") ==
        "input:1:5: expected a version, an integer from 0 to 2^64 - 1, found `?]`");
  CHECK(hist_outcome("[x:=18446744073709551616]\n")
            .starts_with("input:1:5: expected a version, an integer from 0 to 2^64 - 1"));
  CHECK(hist_outcome("[x:=1") ==
        "input:1:6: expected a blank or `]` behind the event, found the end of the line");
}

TEST_CASE("what only dbcop refuses is a remark") {
  const Result<History> returns = read_text(read_dbcop, sample("dbcop/bad-crlf.hist"));
  REQUIRE(returns);
  CHECK(summary(returns.value()) == R"(1 ok [:w "x" 1])");
  CHECK(remarks(returns.value()) ==
        std::vector<std::string>{"lines end with carriage returns, which dbcop itself refuses"});
  const Result<History> open = read_text(read_dbcop, sample("dbcop/bad-no-final-newline.hist"));
  REQUIRE(open);
  CHECK(summary(open.value()) == R"(1 ok [:w "x" 1])");
  CHECK(has_remark(open.value(), Remark::Kind::kOther));
}

TEST_CASE(".hist text cut short anywhere") {
  check_cuts(read_dbcop, "[x:=1 y:=1] [y==1 x:=2]\n[x:=9]\n---\n[x==1 z==?]\n", "hist");
}

TEST_CASE("the dialect of dbcop is told by the content") {
  CHECK(outcome(read_dbcop, " [x:=1]\n") == R"(1 ok [:w "x" 1])");
  CHECK(outcome(read_dbcop, "\xef\xbb\xbf// [[\n[x:=1]\n") == R"(1 ok [:w "x" 1])");
  CHECK(outcome(read_dbcop, " [ \n[]]").empty());
  CHECK(outcome(read_dbcop, "[]").empty());
  CHECK(outcome(read_dbcop, std::string(5, '\0')).starts_with("input: byte 0: expected five"));
}

}  // namespace
}  // namespace elapid
