#include "parsers/veristrong_elle/veristrong_elle_format.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/parsers/traces/reading.h"

namespace elapid {
namespace {

TEST_CASE("appends and reads of lists in VeriStrong's text") {
  const Result<History> parsed =
      read_text(read_veristrong_elle, sample("veristrong_elle/valid.txt"));
  REQUIRE(parsed);
  const History& history = parsed.value();
  CHECK(summary(history) == "0 ok [:append 5 1] [:r 6 ()]; 1 ok [:r 5 (1)] [:append 6 2]");
  CHECK(parsed.value().workload() == Workload::kListAppend);
  CHECK(history.info().format == "veristrong-elle");
  CHECK(history.info().initial.is_nil());
  CHECK(history.event({1}, EventKind::kCompletion).position.offset == 22);
}

TEST_CASE("blank lines and blanks mean nothing to VeriStrong, and numbers may be negative") {
  CHECK(outcome(read_veristrong_elle,
                "\n 3 \n\n -1  -2\tA -3 -4 \r\n7 8 R -3 2 -4 -4\n-1 -2 R 1 0\n\n") ==
        "-1 ok [:append -3 -4] [:r 1 ()]; 7 ok [:r -3 (-4 -4)]");
}

TEST_CASE("a VeriStrong transaction stays in the session of its first line") {
  const Result<History> parsed = read_text(read_veristrong_elle, "2\n0 1 A 5 1\n3 1 A 5 2\n");
  REQUIRE(parsed);
  CHECK(summary(parsed.value()) == "0 ok [:append 5 1] [:append 5 2]");
  CHECK(remarks(parsed.value()) ==
        std::vector<std::string>{"transaction 1 began in session 0 and stays there: this line "
                                 "names session 3"});
}

TEST_CASE("what is no operation of VeriStrong is refused") {
  const auto error = [](const std::string& line) {
    return outcome(read_veristrong_elle, "1\n" + line + "\n");
  };
  CHECK(error("s 1 A 5 1") == "input:2:1: expected a session, a 64-bit integer, found `s`");
  CHECK(error("0 1x A 5 1") == "input:2:3: expected a transaction, a 64-bit integer, found `1x`");
  CHECK(error("0 1 W 5 1") == "input:2:5: expected `A` or `R`, found `W`");
  CHECK(error("0 1 Ax 5 1") == "input:2:5: expected `A` or `R`, found `Ax`");
  CHECK(error("0 1 A") == "input:2:6: expected a key, a 64-bit integer, found the end of the line");
  CHECK(error("0 1 A 5 9223372036854775808") ==
        "input:2:9: expected an element, a 64-bit integer, found `9223372036854775808`");
  CHECK(error("0 1 A 5 1 2") == "input:2:11: expected the end of the line, found `2`");
  CHECK(error("0 1 R 5 -1") ==
        "input:2:8: expected the number of elements, not below 0, found a blank");
  CHECK(error("0 1 R 5 2 1") ==
        "input:2:12: expected another element, a 64-bit integer, found the end of the line");
  CHECK(error("0 1 R 5 1 1 1") == "input:2:13: expected the end of the line, found `1`");
}

TEST_CASE("the count of operations is checked") {
  CHECK(outcome(read_veristrong_elle, "") ==
        "input:1:1: expected the number of operations, found an empty input");
  CHECK(outcome(read_veristrong_elle, "x\n") ==
        "input:1:1: expected the number of operations, found `x`");
  CHECK(outcome(read_veristrong_elle, "18446744073709551615\n0 1 A 5 1\n") ==
        "input:3:1: expected 18446744073709551615 operations, as the first line says, found 1");
  CHECK(outcome(read_veristrong_elle, "1\n0 1 A 5 1\n0 2 A 5 2\n") ==
        "input:3:1: expected the end after 1 operations, as the first line says, found `0`");
}

TEST_CASE("VeriStrong's text cut short anywhere") {
  check_cuts(read_veristrong_elle, sample("veristrong_elle/valid.txt"));
}

}  // namespace
}  // namespace elapid
