#include "parsers/edn/scanner.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

namespace elapid::edn {
namespace {

/// The tokens of a text in short: kinds of brackets, else their text; then how it ended.
std::string tokens(const std::string& input, std::size_t window_bytes = Scanner::kWindowBytes) {
  const auto source = memory_source("test", input);
  Scanner scanner(*source, 0, window_bytes);
  std::string out;
  while (scanner.next() > TokenKind::kError) {
    const Token& token = scanner.token();
    switch (token.kind) {
      case TokenKind::kOpenList:
        out += "( ";
        break;
      case TokenKind::kOpenVector:
        out += "[ ";
        break;
      case TokenKind::kOpenMap:
        out += std::string(token.text) + "{ ";
        break;
      case TokenKind::kOpenSet:
        out += "#{ ";
        break;
      default:
        out += std::string(token.text) + ' ';
    }
  }
  if (scanner.token().kind == TokenKind::kError) {
    return out + "error at " + std::to_string(scanner.error().byte_offset.value()) + ": " +
           scanner.error().message;
  }
  return out + "end at " + std::to_string(scanner.token().offset);
}

TEST_CASE("the scanner reads tokens with their offsets") {
  const auto source = memory_source("test", "{:index 12, :f \"a b\"} ; c\n#tag -7");
  Scanner scanner(*source);
  std::vector<std::uint64_t> offsets;
  while (scanner.next() != TokenKind::kEnd) {
    offsets.push_back(scanner.token().offset);
  }
  CHECK(offsets == std::vector<std::uint64_t>{0, 1, 8, 12, 15, 20, 26, 31});
}

TEST_CASE("integers of 64 bits come decoded") {
  for (const auto& [text, value] : std::vector<std::pair<std::string, std::int64_t>>{
           {"0", 0},
           {"-1", -1},
           {"+5", 5},
           {"007", 7},
           {"0x1F", 31},
           {"2r101", 5},
           {"9N", 9},
           {"9223372036854775807", 9223372036854775807},
           {"-9223372036854775808", -9223372036854775807 - 1}}) {
    INFO(text);
    const auto source = memory_source("test", text);
    Scanner scanner(*source);
    CHECK(scanner.next() == TokenKind::kInteger);
    CHECK(scanner.token().integer == value);
    CHECK(scanner.next() == TokenKind::kEnd);
  }
}

TEST_CASE("discards and comments and metadata leave no tokens") {
  CHECK(tokens("#_a b") == "b end at 5");
  CHECK(tokens("#_ #_ a b c") == "c end at 11");
  CHECK(tokens("[#_[1 {2 3}] 4]") == "[ 4 ] end at 15");
  CHECK(tokens("#_#tag #_ x y z") == "z end at 15");
  CHECK(tokens("#_^:m [1] z") == "z end at 11");
  CHECK(tokens("^:a ^{:b 1} #^c [1]") == "[ 1 ] end at 19");
  CHECK(tokens("^#_x :a [1]") == "[ 1 ] end at 11");
  CHECK(tokens("1;x\r2;y") == "1 2 end at 7");
  CHECK(tokens("1 #_") == "1 end at 4");
  CHECK(tokens("1 ;") == "1 end at 3");
}

TEST_CASE("metadata belongs on collections and symbols") {
  CHECK(tokens("^:a 1") == "error at 4: expected a form that can have metadata, found `1`");
  CHECK(tokens("^1 []") == "error at 0: expected a keyword, symbol, string or map as metadata");
  CHECK(tokens("^:a") ==
        "error at 3: expected a form that can have metadata, found the end of the input");
  CHECK(tokens("^").starts_with("error at 0"));
}

TEST_CASE("a map may carry a namespace") {
  CHECK(tokens("#:ns{:a 1}") == "ns{ :a 1 } end at 10");
  CHECK(tokens("#:ns, \n{}") == "ns{ } end at 9");
  CHECK(tokens("#:ns [1]") == "error at 0: expected a map behind `#:ns`");
  CHECK(tokens("#::{:a 1}").starts_with("error at 0: expected a namespace"));
  CHECK(tokens("#:a/b{}").starts_with("error at 0: expected a namespace"));
}

TEST_CASE("brackets must match") {
  CHECK(
      tokens("[{:type :ok}}") ==
      "[ { :type :ok } error at 12: expected `]` to close the vector opened at byte 0, found `}`");
  CHECK(tokens(" ]") == "error at 1: expected a form, found `]` with nothing open");
  CHECK(
      tokens("[1 (2") ==
      "[ 1 ( 2 error at 3: expected `)` to close this list, found the end of the input at byte 5");
  CHECK(tokens("[#_]") == "[ error at 3: expected a form, found `]`");
  CHECK(tokens("[#_ #_ 1]") == "[ error at 8: expected a form, found `]`");
}

TEST_CASE("invalid UTF-8 is an error at its first byte") {
  for (const char* bad : {"\x80", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x82"}) {
    CHECK(tokens("\"ab" + std::string(bad) + "\"") ==
          "error at 3: expected UTF-8, found an invalid byte sequence");
    CHECK(tokens(":ab" + std::string(bad)) ==
          "error at 3: expected UTF-8, found an invalid byte sequence");
  }
}

TEST_CASE("tokens are the same through any window") {
  const std::string input =
      "{:index 12, :value [[:append 123456789012345 -1] nil true \"a\\u00e9\\101 \xc3\xa9\"] "
      "; comment\n #_ (skip [this]) ^:m #{1.5e3 2/3 4N 5M} \\newline \\u0041 #:n {:a/b ##NaN} "
      "#inst \"2020\" \xe2\x80\xa8 a\xe2\x80\xa8 :\xf0\x9f\x98\x80 - -5 +x}";
  const std::string expected = tokens(input);
  CHECK(expected.ends_with("end at " + std::to_string(input.size())));
  for (std::size_t window = 1; window < 80; ++window) {
    INFO("window of " << window);
    CHECK(tokens(input, window) == expected);
  }
}

TEST_CASE("tokens longer than the window are read whole") {
  const std::string word(100'000, 'x');
  CHECK(tokens(word, 16) == word + " end at 100000");
  CHECK(tokens('"' + word + '"', 16) == '"' + word + "\" end at 100002");
  const std::string digits(5'000'000, '7');
  CHECK(tokens(digits).size() == digits.size() + std::string(" end at 5000000").size());
}

TEST_CASE("a million brackets are skipped without recursion") {
  constexpr std::size_t kDepth = 1'000'000;
  const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  CHECK(tokens("#_" + deep + " 1") == "1 end at 2000004");
  const auto source = memory_source("test", deep);
  Scanner scanner(*source);
  scanner.next();
  CHECK(scanner.skip());
  CHECK(scanner.next() == TokenKind::kEnd);
  CHECK(tokens("#_" + std::string(kDepth, '[')).starts_with("error at 1000001: expected `]`"));
}

TEST_CASE("skipping passes over one form") {
  const auto source = memory_source("test", "#a #b [1 {2 3}] 4 (5 [6]) 7");
  Scanner scanner(*source);
  CHECK(scanner.next() == TokenKind::kTag);
  CHECK(scanner.skip());
  CHECK(scanner.next() == TokenKind::kInteger);
  CHECK(scanner.skip());
  CHECK(scanner.next() == TokenKind::kOpenList);
  scanner.next();
  scanner.next();
  CHECK(scanner.depth() == 2);
  CHECK(scanner.skip_out_to(0));
  CHECK(scanner.next() == TokenKind::kInteger);
  CHECK(scanner.token().integer == 7);
}

TEST_CASE("an error ends the scan for good") {
  const auto source = memory_source("test", "08 1 2");
  Scanner scanner(*source);
  CHECK(scanner.next() == TokenKind::kError);
  CHECK(scanner.next() == TokenKind::kError);
  CHECK_FALSE(scanner.skip());
  CHECK_FALSE(scanner.skip_out_to(0));
  CHECK(scanner.error().message == "expected a number, found `08`");
}

TEST_CASE("messages stay on one line of valid UTF-8") {
  CHECK(tokens("\"\\\n\"") == "error at 1: expected an escape sequence of EDN, found `\\?`");
  CHECK(tokens("\"\\u\xe9zzz\"") ==
        "error at 1: expected an escape sequence of EDN, found `\\u?zzz`");
  CHECK(tokens("1" + std::string(100, 'a')) ==
        "error at 0: expected a number, found `1" + std::string(39, 'a') + "...`");
}

TEST_CASE("a byte order mark counts only at the start") {
  const auto source = memory_source("test", "\xef\xbb\xbf 1");
  Scanner scanner(*source, 0, 1);
  CHECK(scanner.skip_byte_order_mark());
  CHECK(scanner.next() == TokenKind::kInteger);
  CHECK(scanner.token().offset == 4);
}

TEST_CASE("every prefix of any bytes ends in tokens or an error") {
  std::string every_byte;
  for (int c = 0; c < 256; ++c) {
    every_byte += static_cast<char>(c);
    for (const std::string lead :
         {"", "#", "\\", "\"", "\"\\", "#:", "-", ":", "1", "#_", "^", "#\"", "#\"\\"}) {
      CHECK(tokens(lead + every_byte.back(), 1).find(" at ") != std::string::npos);
    }
  }
}

}  // namespace
}  // namespace elapid::edn
