#include "parsers/edn/value_text.h"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "parsers/edn/string_text.h"
#include "tests/unit/parsers/edn/reading.h"

namespace elapid::edn {
namespace {

TEST_CASE("equal values have equal canonical text") {
  for (const auto& [a, b] : std::vector<std::pair<std::string, std::string>>{
           {"1N", "1"},
           {"0x10", "16"},
           {"4/2", "2"},
           {"-6/4", "-3/2"},
           {"1.50M", "1.5M"},
           {"100M", "1e2M"},
           {"0.00M", "-0M"},
           {"1e3", "1000.0"},
           {"-0.0", "0.0"},
           {"(1 (2))", "[1 [2]]"},
           {"{:b 1, :a [2]}", "{:a (2) :b 1N}"},
           {"#{3 1 2}", "#{1 2 3}"},
           {"#:n{:a 1 b 2}", "{n/b 2 :n/a 1}"},
           {"\\u0041", "\\A"},
           {"\"\\u0041\\n\"", "\"A\n\""},
           {"#inst \"2020-01-01T01:00:00+01:00\"", "#inst \"2020\""},
           {"0xFFFFFFFFFFFFFFFFFF", "4722366482869645213695"}}) {
    INFO(a << " and " << b);
    CHECK(canonical(a) == canonical(b));
    CHECK(canonical(canonical(a)) == canonical(a));
  }
}

TEST_CASE("a pattern is a tagged string") {
  CHECK(canonical(R"(#"a+")") == R"(#regex "a+")");
  CHECK(canonical(R"([#"\d\"x\\" 1])") == R"([#regex "\\d\\\"x\\\\" 1])");
  CHECK(canonical(R"(#"")") == R"(#regex "")");
  CHECK(canonical("#\"a\nb\"") == "#regex \"a\\nb\"");
  CHECK(canonical(canonical(R"(#"\s")")) == canonical(R"(#"\s")"));
  CHECK(canonical(R"({#"a" 1 #"a" 2})").starts_with("error"));
  CHECK(canonical(R"(#"a\")").find("to close this pattern") != std::string::npos);
  CHECK(canonical("#\"\xff\"").find("expected UTF-8") != std::string::npos);
}

TEST_CASE("different values have different canonical text") {
  CHECK(canonical("1") != canonical("1.0"));
  CHECK(canonical("1") != canonical("1M"));
  CHECK(canonical("a") != canonical(":a"));
  CHECK(canonical("\"a\"") != canonical("a"));
  CHECK(canonical("[]") != canonical("nil"));
}

TEST_CASE("numbers print as Java prints them") {
  CHECK(printed("1e7") == "1.0E7");
  CHECK(printed("9999999.0") == "9999999.0");
  CHECK(printed("0.001") == "0.001");
  CHECK(printed("0.00012") == "1.2E-4");
  CHECK(printed("1e400") == "##Inf");
  CHECK(printed("-1e400") == "##-Inf");
  CHECK(printed("1e-400") == "0.0");
  CHECK(printed("1.7976931348623157e308") == "1.7976931348623157E308");
  CHECK(printed("123e-10M") == "1.23E-8M");
  CHECK(printed("0.000001M") == "0.000001M");
  CHECK(printed("5N") == "5N");
  CHECK(printed("36rzzzzzzzzzzzzzzzz") == "7958661109946400884391935N");
  CHECK(printed("36r1N") == "59");
  CHECK(printed("170141183460469231731687303715884105728/2") ==
        "85070591730234615865843651857942052864N");
}

TEST_CASE("numbers that cannot be kept are errors") {
  CHECK(canonical("1e99999999999M").starts_with("error at 0: expected an exponent"));
  CHECK(canonical("0x" + std::string(20'000, 'f')).starts_with("error at 0: expected at most"));
  CHECK(canonical(std::string(20'000, '1') + "/2").starts_with("error at 0: expected at most"));
  CHECK(canonical("1/0").starts_with("error at 0: expected a denominator"));
  CHECK(canonical(std::string(20'000, '1')).size() == 20'001);
}

TEST_CASE("instants are UTC to the millisecond") {
  CHECK(canonical("#inst \"2020-02-29T23:59:59.9999-01:00\"") ==
        "#inst \"2020-03-01T00:59:59.999-00:00\"");
  CHECK(canonical("#inst \"1985-08:00\"") == "#inst \"1985-01-01T08:00:00.000-00:00\"");
  CHECK(canonical("#inst \"1985-04-12T23:20:50.5Z\"") == "#inst \"1985-04-12T23:20:50.500-00:00\"");
  for (const std::string bad : {"2021-02-29", "2020-13", "2020-1", "2020-01-01T24:00", "20200101",
                                "", "2020-01-01T00:00:00.", "2020-01-01T00:00:00+1:00"}) {
    CHECK(canonical("#inst \"" + bad + '"').starts_with("error at 6: expected a timestamp"));
  }
}

TEST_CASE("tags stay with their forms") {
  CHECK(canonical("#object[java.lang.Object 0x1 \"x\"]") == "#object [java.lang.Object 1 \"x\"]");
  CHECK(canonical("#uuid \"00112233-4455-6677-8899-AABBCCDDEEFF\"") ==
        "#uuid \"00112233-4455-6677-8899-aabbccddeeff\"");
  CHECK(canonical("[#a]") == "error at 3: expected a form, found `]`");
  CHECK(canonical("#a") == "error at 2: expected a form, found the end of the input");
}

TEST_CASE("half a surrogate pair stays an escape") {
  CHECK(canonical("\"\\ud83d\\ude00\"") == "\"\xf0\x9f\x98\x80\"");
  CHECK(canonical("\"\\ude00\\ud83d\\u0041\"") == "\"\\ude00\\ud83dA\"");
}

TEST_CASE("a string that nothing is escaped in is printed as it stands, and no other") {
  for (int c = 0; c < 256; ++c) {
    const std::string token = std::string("\"a") + static_cast<char>(c) + "b\"";
    if (c != '"' && c != '\\') {
      std::string out;
      append_string(token, out);
      CHECK(is_printed_string(token) == (out == token));
    }
  }
  CHECK_FALSE(is_printed_string(R"("a\u0041")"));
  CHECK_FALSE(is_printed_string(R"("\"")"));
}

TEST_CASE("malformed maps and sets are errors") {
  CHECK(canonical("[{:a 1 :b}]") ==
        "error at 1: expected a map with a value for each key, found none for `:b`");
  CHECK(canonical("{[1] 2 (1) 3}") == "error at 0: expected distinct keys, found `[1]` twice");
  CHECK(canonical("#{1 #{2} #{2}}") == "error at 0: expected distinct keys, found `#{2}` twice");
}

TEST_CASE("printing keeps the source's order") {
  CHECK(printed("{:b 1 :a (2 #{4 3})}") == "{:b 1, :a (2 #{4 3})}");
}

TEST_CASE("a form that is kept has limited depth") {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  CHECK(canonical(nested(kMaxFormDepth)) == nested(kMaxFormDepth));
  CHECK(canonical(nested(kMaxFormDepth + 1)) ==
        "error at 512: expected a form with at most 512 levels, found more");
}

TEST_CASE("forms are the same through any window") {
  const std::string input = "#:n{:a [\"x\\u00e9\" #{:c :b}], :d/e #inst \"2020-01-01\"}";
  for (std::size_t window = 1; window < 60; ++window) {
    CHECK(read_form(input, TextStyle::kCanonical, window) == canonical(input));
  }
}

}  // namespace
}  // namespace elapid::edn
