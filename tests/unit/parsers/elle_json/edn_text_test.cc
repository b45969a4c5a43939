#include "parsers/elle_json/edn_text.h"

#include <catch2/catch.hpp>
#include <string>

#include "parsers/json/value_stream.h"

namespace elapid {
namespace {

std::string edn_of(const std::string& json, edn::TextStyle style = edn::TextStyle::kCanonical) {
  const auto source = memory_source("h.json", "[" + json + "]");
  json::ValueStream stream(*source);
  REQUIRE(stream.next());
  std::string out;
  const Status status = append_edn(stream.value(), style, out);
  return status.ok() ? out : status.error().to_string();
}

std::string printed(const std::string& json) {
  return edn_of(json, edn::TextStyle::kPrinted);
}

TEST_CASE("JSON scalars as EDN") {
  CHECK(edn_of("null") == "nil");
  CHECK(edn_of("true") == "true");
  CHECK(edn_of("false") == "false");
  CHECK(edn_of("\"x\"") == "\"x\"");
  CHECK(edn_of("-12") == "-12");
  CHECK(edn_of("-0") == "0");
}

TEST_CASE("JSON integers beyond 64 bits and doubles as EDN") {
  CHECK(edn_of("9223372036854775807") == "9223372036854775807");
  CHECK(edn_of("9223372036854775808") == "9223372036854775808N");
  CHECK(edn_of("-9223372036854775809") == "-9223372036854775809N");
  CHECK(edn_of("1.0") == "1.0");
  CHECK(edn_of("1.50") == "1.5");
  CHECK(edn_of("1e5") == "100000.0");
  CHECK(edn_of("1E+10") == "1.0E10");
  CHECK(edn_of("-0.0") == "0.0");
  CHECK(printed("-0.0") == "-0.0");
}

TEST_CASE("JSON strings as Clojure prints them") {
  CHECK(edn_of(R"("a\"b\\c\nd\te\rf\fg\bh\/i")") == R"("a\"b\\c\nd\te\rf\fg\bh/i")");
  CHECK(edn_of("\"\\u00e4\\u2028\"") == "\"\xc3\xa4\xe2\x80\xa8\"");
  CHECK(edn_of("\"\"") == "\"\"");
}

TEST_CASE("JSON arrays and objects as EDN") {
  CHECK(edn_of("[]") == "[]");
  CHECK(edn_of(R"([1, ["x"], null])") == R"([1 ["x"] nil])");
  CHECK(edn_of("{}") == "{}");
  CHECK(edn_of(R"({"b": 1, "a": {"d": [], "c": 2}})") == "{:a {:c 2 :d []} :b 1}");
  CHECK(printed(R"({"b": 1, "a": {"d": [], "c": 2}})") == "{:b 1, :a {:d [], :c 2}}");
}

TEST_CASE("Of equal JSON keys the last value counts, in the place of the first") {
  CHECK(edn_of(R"({"b": 1, "a": 2, "b": 3})") == "{:a 2 :b 3}");
  CHECK(printed(R"({"b": 1, "a": 2, "b": 3})") == "{:b 3, :a 2}");
}

TEST_CASE("Keys type and f make keywords at any depth") {
  CHECK(edn_of(R"({"type": "ok", "g": {"f": "txn"}})") == "{:g {:f :txn} :type :ok}");
  CHECK(edn_of(R"({"type": 3, "f": null})") == "{:f nil :type 3}");
}

TEST_CASE("A transaction below a key value has keywords as functions") {
  CHECK(edn_of(R"({"value": [["r", "x", null], ["w", "type", 1]]})") ==
        R"({:value [[:r "x" nil] [:w "type" 1]]})");
  CHECK(edn_of(R"({"value": [["r", "x"], [], 3, [4]]})") == R"({:value [[:r "x"] [] 3 [4]]})");
  CHECK(edn_of(R"({"value": [[], ["r", "x"]]})") == R"({:value [[] ["r" "x"]]})");
  CHECK(edn_of(R"({"value": ["r", "x"]})") == R"({:value ["r" "x"]})");
}

TEST_CASE("JSON values too deep to be kept are an error with its place") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(edn_of(nested(512)) == nested(512));
  CHECK(edn_of(nested(513)) == "byte 513: expected a value with at most 512 levels, found more");
}

}  // namespace
}  // namespace elapid
