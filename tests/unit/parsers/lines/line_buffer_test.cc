#include "parsers/lines/line_buffer.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {
namespace {

void add(LineBuffer& buffer, std::string_view text) {
  text.copy(buffer.room(text.size()).data(), text.size());
  buffer.add(text.size());
}

TEST_CASE("whole lines are taken, an unfinished one is kept") {
  LineBuffer buffer(100);
  add(buffer, "a\nbc");
  CHECK(buffer.take_lines() == "a\n");
  CHECK(buffer.offset() == 2);
  CHECK(buffer.take_lines().empty());
  add(buffer, "d");
  CHECK(buffer.take_lines().empty());
  add(buffer, "\n\ne\nf");
  CHECK(buffer.take_lines() == "bcd\n\ne\n");
  CHECK(buffer.offset() == 9);
  CHECK(buffer.take_rest() == "f");
  CHECK(buffer.take_rest().empty());
  CHECK(buffer.offset() == 10);
}

TEST_CASE("a line that is too long is passed over to its end, however it is cut") {
  const std::string text = "ab\nabcdefghijkl\ncd\nabcdefg\n";
  for (std::size_t piece = 1; piece < 7; ++piece) {
    LineBuffer buffer(5);
    std::string lines;
    std::vector<std::uint64_t> overflows;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      add(buffer, std::string_view(text).substr(at, piece));
      const std::uint64_t offset = buffer.offset();
      const std::string_view taken = buffer.take_lines();
      CHECK(text.substr(offset, taken.size()) == taken);
      lines += taken;
      if (const auto overflow = buffer.take_overflow()) {
        overflows.push_back(*overflow);
      }
      CHECK_FALSE(buffer.take_overflow());
    }
    CHECK(buffer.take_rest().empty());
    CHECK(buffer.offset() == text.size());
    // A piece that brings a line's end with it makes no overflow.
    CHECK(overflows.at(0) == 3);
    CHECK(lines.starts_with("ab\ncd\n"));
    CHECK((piece > 1 || lines == "ab\ncd\n"));
  }
}

TEST_CASE("a line as long as allowed is taken") {
  LineBuffer buffer(5);
  add(buffer, "abcde");
  CHECK_FALSE(buffer.take_overflow());
  add(buffer, "\n");
  CHECK(buffer.take_lines() == "abcde\n");
}

TEST_CASE("many small pieces of a long line") {
  LineBuffer buffer(std::size_t{1} << 20);
  std::string expected;
  for (int i = 0; i < 100'000; ++i) {
    const std::string piece = std::to_string(i);
    add(buffer, piece);
    expected += piece;
    REQUIRE(buffer.take_lines().empty());
  }
  add(buffer, "\nx");
  CHECK(buffer.take_lines() == expected + "\n");
  CHECK(buffer.take_rest() == "x");
}

}  // namespace
}  // namespace elapid
