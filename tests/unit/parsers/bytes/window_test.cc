#include "parsers/bytes/window.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace elapid {
namespace {

std::vector<std::string> lines(const std::string& text, std::size_t window_bytes) {
  const auto source = memory_source("w", text);
  Window window(*source, window_bytes);
  std::vector<std::string> all;
  while (const auto line = window.line()) {
    all.emplace_back(*line);
  }
  CHECK(window.offset() == text.size());
  CHECK_FALSE(window.error());
  return all;
}

TEST_CASE("window: lines are the same however small the window is") {
  const std::string text = "one\r\n\ntwo words\nthe last one is not ended";
  const std::vector<std::string> expected = {"one", "", "two words", "the last one is not ended"};
  for (const std::size_t bytes : {1U, 2U, 3U, 7U, 64U}) {
    INFO("window of " << bytes);
    CHECK(lines(text, bytes) == expected);
  }
  CHECK(lines("", 4).empty());
  CHECK(lines("\n", 4) == std::vector<std::string>{""});
}

TEST_CASE("window: a line tells whether it was ended") {
  const auto source = memory_source("w", "a\nb");
  Window window(*source);
  REQUIRE(window.line());
  CHECK(window.line_is_whole());
  REQUIRE(window.line());
  CHECK_FALSE(window.line_is_whole());
  CHECK(window.at_end());
}

TEST_CASE("window: looking ahead takes nothing and grows as needed") {
  const auto source = memory_source("w", "0123456789");
  Window window(*source, 4);
  CHECK(window.ahead(2).starts_with("01"));
  window.skip(2);
  CHECK(window.ahead(6).substr(0, 6) == "234567");
  CHECK(window.offset() == 2);
  CHECK(window.ahead(100) == "23456789");
  window.skip(8);
  CHECK(window.at_end());
  CHECK(window.offset() == 10);
}

TEST_CASE("window: a piece that is too long is an error, not memory") {
  const auto source = memory_source("w", "abc");
  Window window(*source);
  window.skip(window.ahead(1).size() - 2);
  CHECK(window.ahead(LineLimit().bytes + 1).size() <= 3);
  REQUIRE(window.error());
  CHECK(window.error()->byte_offset == 1);
}

}  // namespace
}  // namespace elapid
