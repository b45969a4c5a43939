#include "parsers/traces/line_cursor.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("a cursor takes what stands where it is") {
  LineCursor cursor("ab  -12 34,name]", 100);
  CHECK_FALSE(cursor.take("b"));
  CHECK(cursor.take("ab"));
  CHECK(cursor.at_word_end());
  CHECK(cursor.skip_blanks());
  CHECK_FALSE(cursor.skip_blanks());
  CHECK_FALSE(cursor.natural());
  CHECK(cursor.integer() == -12);
  CHECK(cursor.skip_blanks());
  CHECK(cursor.natural() == 34);
  CHECK_FALSE(cursor.at_word_end());
  CHECK(cursor.offset() == 110);
  CHECK(cursor.take(','));
  CHECK(cursor.until(']') == "name");
  CHECK_FALSE(cursor.until(')'));
  CHECK(cursor.peek() == ']');
  cursor.skip();
  CHECK(cursor.at_end());
  CHECK(cursor.at_word_end());
  CHECK(cursor.peek() == '\0');
}

TEST_CASE("numbers out of range are not taken") {
  LineCursor least("-9223372036854775809", 0);
  CHECK_FALSE(least.integer());
  CHECK(least.offset() == 0);
  LineCursor most("18446744073709551616", 0);
  CHECK_FALSE(most.natural());
  LineCursor fits("18446744073709551615", 0);
  CHECK(fits.natural() == 18446744073709551615U);
}

TEST_CASE("an error says what was expected and what is there instead") {
  CHECK(LineCursor("x1 2", 7).expected("a key").message == "expected a key, found `x1`");
  CHECK(LineCursor("x1 2", 7).expected("a key").byte_offset == 7);
  CHECK(LineCursor("", 0).expected("a key").message == "expected a key, found the end of the line");
  CHECK(LineCursor(" x", 0).expected("a key").message == "expected a key, found a blank");
  CHECK(LineCursor("\n", 0).expected("a key").message ==
        "expected a key, found the end of the line");
  CHECK(found_text("a\x01\xff", "") == "`a??`");
  CHECK(found_text("abcdefghijklmnopqrstuvwxyz", "") == "`abcdefghijklmnopqrst...`");
}

}  // namespace
}  // namespace elapid
