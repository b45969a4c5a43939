#include "engine/ir/visible.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("visible: control characters become escapes, but for lines and tabs") {
  CHECK(visible("a\tb\n") == "a\tb\n");
  CHECK(visible("\033[1mT1\033[0m") == "\\u001b[1mT1\\u001b[0m");
  CHECK(visible("\033]0;title\a") == "\\u001b]0;title\\u0007");
  CHECK(visible("\033[5n\r\x7f") == "\\u001b[5n\\u000d\\u007f");
  CHECK(visible(std::string_view("a\0b", 3)) == "a\\u0000b");
}

TEST_CASE("visible: what has a line to itself stays there") {
  CHECK(visible_line("a\nb\tc\033[1m") == "a\\nb\\tc\\u001b[1m");
}

TEST_CASE("visible: C1 control characters are those of UTF-8, and letters stay") {
  CHECK(visible("\xc2\x9b") == "\\u009b");
  CHECK(visible("\xc2\xa0\xc3\xa4\xe2\x80\xa6 日本") == "\xc2\xa0\xc3\xa4\xe2\x80\xa6 日本");
}

TEST_CASE("visible: what is not seen, or turns others round, becomes an escape") {
  CHECK(visible("user\u202e]nimda[") == "user\\u202e]nimda[");
  CHECK(visible("x\u2066y\u2069\u200e\u200f\u061c") == "x\\u2066y\\u2069\\u200e\\u200f\\u061c");
  CHECK(visible("line\u2028paragraph\u2029") == "line\\u2028paragraph\\u2029");
  CHECK(visible("a\u200bb\u00adc\ufeff") == "a\\u200bb\\u00adc\\ufeff");
  CHECK(visible("\U000e0041") == "\\u{e0041}");
}

TEST_CASE("visible: stray bytes are replaced, and nothing is escaped twice") {
  CHECK(visible("stray \xff byte, half \xe2\x82") == "stray � byte, half ��");
  const std::string once = visible_line("\033[8m\n\xff");
  CHECK(visible_line(once) == once);
}

}  // namespace
}  // namespace elapid
