#include "parsers/elle_json/edn_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

std::string text(const std::string& json, edn::TextStyle style = edn::TextStyle::kCanonical) {
  const auto source = memory_source("h.json", "[" + json + "]");
  json::ValueStream stream(*source);
  REQUIRE(stream.next());
  std::string out;
  const Status status = append_edn(stream.value(), style, out);
  return status.ok() ? out : status.error().to_string();
}

std::string printed(const std::string& json) {
  return text(json, edn::TextStyle::kPrinted);
}

TEST_CASE("JSON scalars as EDN") {
  CHECK(text("null") == "nil");
  CHECK(text("true") == "true");
  CHECK(text("false") == "false");
  CHECK(text("\"x\"") == "\"x\"");
  CHECK(text("-12") == "-12");
  CHECK(text("-0") == "0");
}

TEST_CASE("JSON integers beyond 64 bits and doubles as EDN") {
  CHECK(text("9223372036854775807") == "9223372036854775807");
  CHECK(text("9223372036854775808") == "9223372036854775808N");
  CHECK(text("-9223372036854775809") == "-9223372036854775809N");
  CHECK(text("1.0") == "1.0");
  CHECK(text("1.50") == "1.5");
  CHECK(text("1e5") == "100000.0");
  CHECK(text("1E+10") == "1.0E10");
  CHECK(text("-0.0") == "0.0");
  CHECK(printed("-0.0") == "-0.0");
}

TEST_CASE("JSON strings as Clojure prints them") {
  CHECK(text(R"("a\"b\\c\nd\te\rf\fg\bh\/i")") == R"("a\"b\\c\nd\te\rf\fg\bh/i")");
  CHECK(text("\"\\u00e4\\u2028\"") == "\"\xc3\xa4\xe2\x80\xa8\"");
  CHECK(text("\"\"") == "\"\"");
}

TEST_CASE("JSON arrays and objects as EDN") {
  CHECK(text("[]") == "[]");
  CHECK(text(R"([1, ["x"], null])") == R"([1 ["x"] nil])");
  CHECK(text("{}") == "{}");
  CHECK(text(R"({"b": 1, "a": {"d": [], "c": 2}})") == "{:a {:c 2 :d []} :b 1}");
  CHECK(printed(R"({"b": 1, "a": {"d": [], "c": 2}})") == "{:b 1, :a {:d [], :c 2}}");
}

TEST_CASE("Of equal JSON keys the last value counts, in the place of the first") {
  CHECK(text(R"({"b": 1, "a": 2, "b": 3})") == "{:a 2 :b 3}");
  CHECK(printed(R"({"b": 1, "a": 2, "b": 3})") == "{:b 3, :a 2}");
}

TEST_CASE("Keys type and f make keywords at any depth") {
  CHECK(text(R"({"type": "ok", "g": {"f": "txn"}})") == "{:g {:f :txn} :type :ok}");
  CHECK(text(R"({"type": 3, "f": null})") == "{:f nil :type nil}");
}

TEST_CASE("A transaction below a key value has keywords as functions") {
  CHECK(text(R"({"value": [["r", "x", null], ["w", "type", 1]]})") ==
        R"({:value [[:r "x" nil] [:w "type" 1]]})");
  CHECK(text(R"({"value": [["r", "x"], [], 3, [4]]})") == R"({:value [[:r "x"] [nil] 3 [nil]]})");
  CHECK(text(R"({"value": [[], ["r", "x"]]})") == R"({:value [[] ["r" "x"]]})");
  CHECK(text(R"({"value": ["r", "x"]})") == R"({:value ["r" "x"]})");
}

TEST_CASE("JSON values too deep to be kept are an error with its place") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(text(nested(512)) == nested(512));
  CHECK(text(nested(513)) == "byte 513: expected a value with at most 512 levels, found more");
}

}  // namespace
}  // namespace elapid
