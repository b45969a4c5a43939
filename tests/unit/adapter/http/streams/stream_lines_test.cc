#include "adapter/http/streams/stream_lines.h"

#include <catch2/catch.hpp>
#include <memory>
#include <span>
#include <string>

#include "parsers/bytes/byte_source.h"

namespace elapid::http {
namespace {

Result<StreamLines> cut(const std::string& body, std::uint64_t most = 1 << 20) {
  const std::unique_ptr<ByteSource> source = memory_source("body", body);
  return cut_into_lines(*source, most);
}

std::string text_of(const StreamLines& lines) {
  std::string text(static_cast<std::size_t>(lines.text.size()), '\0');
  const Result<std::size_t> count = lines.text.read_at(0, std::span(text));
  REQUIRE(count.ok());
  return text.substr(0, count.value());
}

TEST_CASE("stream lines: lines are taken as they are, the last one with a newline") {
  const Result<StreamLines> lines = cut("\xef\xbb\xbf{\"a\":1}\r\n\n  \nnonsense");
  REQUIRE(lines.ok());
  CHECK(text_of(lines.value()) == "{\"a\":1}\r\nnonsense\n");
  CHECK(lines.value().count == 2);
  CHECK(cut("").value().count == 0);
}

TEST_CASE("stream lines: elements of an array become lines, however they are written") {
  const Result<StreamLines> lines = cut("[{\"a\":1},{\"b\":\n  [1,\n2]}\n, {\"c\":\"]},{\"}]\n");
  REQUIRE(lines.ok());
  CHECK(text_of(lines.value()) == "{\"a\":1}\n{\"b\":\t  [1,\t2]}\n{\"c\":\"]},{\"}\n");
  CHECK(lines.value().count == 3);
  CHECK(cut("[]").value().count == 0);
}

TEST_CASE("stream lines: an array that is none is refused by line and byte") {
  for (const auto& [body, line] :
       {std::pair("[{\"a\":1}", 1), std::pair("[{\"a\":1}\n{\"b\":2}]", 2), std::pair("[1]", 1),
        std::pair("[{\"a\":1}] {", 1), std::pair("[{", 1)}) {
    INFO(body);
    const Result<StreamLines> lines = cut(body);
    REQUIRE_FALSE(lines.ok());
    CHECK(lines.error().kind == ErrorKind::kMalformed);
    CHECK(lines.error().line == static_cast<std::uint64_t>(line));
    CHECK(lines.error().byte_offset.has_value());
  }
}

TEST_CASE("stream lines: there are no more bytes than allowed") {
  CHECK(cut("12345\n12345\n", 12).ok());
  const Result<StreamLines> lines = cut("12345\n12345\n", 11);
  REQUIRE_FALSE(lines.ok());
  CHECK(lines.error().kind == ErrorKind::kUsage);
}

TEST_CASE("stream lines: pieces of the reading cut nothing") {
  std::string body;
  for (int i = 0; i < 100'000; ++i) {
    body += "{\"i\":" + std::to_string(i) + "}\n";
  }
  const Result<StreamLines> lines = cut(body, body.size());
  REQUIRE(lines.ok());
  CHECK(text_of(lines.value()) == body);
  CHECK(lines.value().count == 100'000);
}

}  // namespace
}  // namespace elapid::http
