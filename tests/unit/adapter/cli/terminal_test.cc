#include "adapter/cli/terminal.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("control characters become escapes, but for lines, tabs and colours of text") {
  CHECK(printable("a\tb\n") == "a\tb\n");
  CHECK(printable("\033[1mT1\033[0m") == "\033[1mT1\033[0m");
  CHECK(printable("\033]0;title\a") == "\\u001b]0;title\\u0007");
  CHECK(printable("\033[5n\r\x7f") == "\\u001b[5n\\u000d\\u007f");
  CHECK(printable("\033[1") == "\\u001b[1");
}

TEST_CASE("what has a line to itself stays there") {
  CHECK(printable_line("a\nb\tc\033[1m") == "a\\nb\\tc\\u001b[1m");
}

TEST_CASE("C1 control characters are those of UTF-8, and letters stay") {
  CHECK(printable("\xc2\x9b") == "\\u009b");
  CHECK(printable("\xc2\xa0\xc3\xa4\xe2\x80\xa6") == "\xc2\xa0\xc3\xa4\xe2\x80\xa6");
  CHECK(printable("\xc2") == "\xc2");
}

}  // namespace
}  // namespace elapid
