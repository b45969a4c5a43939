#include "parsers/json/json_of_edn.h"

#include <catch2/catch.hpp>
#include <string>

namespace elapid {
namespace {

std::string json(std::string_view edn) {
  std::string out;
  append_json_of_edn(edn, out);
  return out;
}

std::string json_key(std::string_view edn) {
  std::string out;
  JsonKeys().append(edn, out);
  return out;
}

TEST_CASE("atoms become JSON's own kinds where it has them") {
  CHECK(json("nil") == "null");
  CHECK(json("true") == "true");
  CHECK(json("-12") == "-12");
  CHECK(json("123456789012345678901234567890N") == "123456789012345678901234567890");
  CHECK(json("1.5M") == "1.5");
  CHECK(json("1.0E10") == "1.0E10");
  CHECK(json(":a/b") == R"("a/b")");
  CHECK(json("sym") == R"("sym")");
  CHECK(json("...") == R"("...")");
  CHECK(json("1/2") == R"("1/2")");
  CHECK(json("007") == R"("007")");
  CHECK(json("##NaN") == R"("##NaN")");
  CHECK(json("\\]") == R"("\\]")");
  CHECK(json("-") == R"("-")");
  CHECK(json("1e") == R"("1e")");
  CHECK(json("M") == R"("M")");
}

TEST_CASE("strings keep their escapes, octal ones and raw control characters excepted") {
  CHECK(json(R"("a\"b\\c\n\u00e9")") == R"("a\"b\\c\n\u00e9")");
  CHECK(json("\"\\101\\7\"") == R"("\u0041\u0007")");
  CHECK(json("\"line\nbreak\"") == R"("line\u000abreak")");
  CHECK(json("\"\"") == "\"\"");
}

TEST_CASE("characters beyond ASCII stay whole wherever they stand") {
  CHECK(json("\"é\"") == "\"é\"");
  CHECK(json("\"xé\"") == "\"xé\"");
  CHECK(json(R"("xé\n")") == R"("xé\n")");
  CHECK(json(R"("\né")") == R"("\né")");
}

TEST_CASE("collections nest") {
  CHECK(json("[1 (2 3) #{4}]") == "[1, [2, 3], [4]]");
  CHECK(json("{:a 1, \"b\" [2], 3 {}}") == R"({"a": 1, "b": [2], "3": {}})");
  CHECK(json("{[1 2] :x}") == R"({"[1 2]": "x"})");
  CHECK(json("#inst \"2020\"") == R"("#inst \"2020\"")");
  CHECK(json("[#a #b [1] 2]") == R"(["#a #b [1]", 2])");
}

TEST_CASE("keys are strings") {
  CHECK(json_key(":a'") == R"("a'")");
  CHECK(json_key("\"k\"") == R"("k")");
  CHECK(json_key("12") == R"("12")");
}

TEST_CASE("an object has no key twice, though keys of EDN may have one text") {
  CHECK(json(R"({:a 1, "a" 2, a 3, "1" 4, 1 5})") ==
        R"({"a": 1, "\"a\"": 2, "a'": 3, "1": 4, "1'": 5})");
  CHECK(json(R"({:a {:a 1}, :b {:a 2}})") == R"({"a": {"a": 1}, "b": {"a": 2}})");
}

TEST_CASE("ill-formed text ends quietly") {
  CHECK(json("").empty());
  CHECK(json("]").empty());
  CHECK(json("[1") == "[1");
  CHECK(json("\"") == "\"\"");
  CHECK(json("#") == "\"#\"");
  CHECK(json("\\") == R"("\\")");
}

TEST_CASE("deep nesting needs no stack") {
  const std::size_t depth = 1000000;
  const std::string text = json(std::string(depth, '[') + std::string(depth, ']'));
  CHECK(text.size() == 2 * depth);
}

}  // namespace
}  // namespace elapid
