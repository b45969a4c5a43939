#include "parsers/bytes/pieces.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <span>
#include <string>
#include <vector>

#include "parsers/bytes/read_full.h"

namespace elapid {
namespace {

std::vector<std::string> cut(const std::string& bytes, std::size_t size, bool& is_at_end) {
  const auto source = memory_source("s", bytes);
  PieceCutter cutter(*source, size);
  std::vector<std::string> texts;
  for (InputPiece piece; cutter.next(piece);) {
    CHECK(piece.text().data()[piece.text().size()] == '\0');
    texts.emplace_back(piece.text());
  }
  is_at_end = cutter.is_at_end();
  return texts;
}

TEST_CASE("pieces: as many lines as fit, the last one with or without its newline") {
  bool is_at_end = false;
  CHECK(cut("a\nbc\nd\n", 5, is_at_end) == std::vector<std::string>{"a\nbc\n", "d\n"});
  CHECK(is_at_end);
  CHECK(cut("a\nbc\ndef", 6, is_at_end) == std::vector<std::string>{"a\nbc\n", "def"});
  CHECK(is_at_end);
  CHECK(cut("", 6, is_at_end).empty());
  CHECK(is_at_end);
}

TEST_CASE("pieces: a line that is longer is left to what resumes") {
  bool is_at_end = true;
  CHECK(cut("a\nlong line\nb\n", 5, is_at_end) == std::vector<std::string>{"a\n"});
  CHECK_FALSE(is_at_end);
}

TEST_CASE("pieces: what resumes reads all from a byte on") {
  const std::string bytes = "first\nsecond\nthird, which is long\nfourth\n";
  for (std::size_t count = 0; count < 3; ++count) {
    for (const std::size_t from : {0U, 6U, 13U}) {
      const auto source = memory_source("s", bytes);
      PieceCutter cutter(*source, 8);
      InputPiece piece;
      for (std::size_t i = 0; i < count; ++i) {
        cutter.next(piece);
      }
      if (from > cutter.offset()) {
        continue;
      }
      ResumedSource rest(*source, cutter, from);
      const auto text = read_full(100, [&](std::span<char> into) {
        return rest.read(into.first(std::min<std::size_t>(into.size(), 7)));
      });
      CHECK(text.value() == bytes.substr(from));
    }
  }
}

}  // namespace
}  // namespace elapid
