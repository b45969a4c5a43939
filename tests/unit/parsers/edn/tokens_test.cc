// Conformance: what Clojure's own reader makes of the inputs of the format document.

#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/edn/string_text.h"
#include "parsers/edn/utf8.h"
#include "tests/unit/parsers/edn/reading.h"

namespace elapid::edn {
namespace {

std::vector<std::string> split_at_tabs(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == '\t') {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

/// The value of a JSON string literal with the escapes that the table uses.
std::string parse_json_string(std::string_view literal) {
  std::string out;
  for (std::size_t i = 1; i + 1 < literal.size(); ++i) {
    if (literal[i] != '\\') {
      out += literal[i];
    } else if (literal[++i] == 'u') {
      append_utf8(parse_code(literal.substr(i + 1, 4), 16).value(), out);
      i += 4;
    } else {
      out += literal[i] == 'n' ? '\n' : literal[i];
    }
  }
  return out;
}

/// The table shows a tagged literal as a vector, and a NUL as it is.
std::string expected_text(const std::string& shown) {
  constexpr std::string_view kTag = "[:user/tag ";
  if (!shown.starts_with(kTag)) {
    return shown;
  }
  return '#' + shown.substr(kTag.size(), shown.size() - kTag.size() - 1);
}

void check_row(const std::vector<std::string>& row) {
  const std::string input = parse_json_string(row[0]);
  INFO("input: " << row[0]);
  if (row[1] == "EOF") {
    CHECK(canonical(input) == "EOF");
  } else if (input.starts_with("#\"")) {  // Clojure prints what its reader of EDN refuses
    CHECK(canonical(input).starts_with("#regex \""));
  } else if (row[1] == "err") {
    CHECK(canonical(input).starts_with("error at "));
  } else {
    const std::string expected = expected_text(row[3]);
    CHECK(canonical(input) == canonical(expected));
    if (!expected.starts_with("#:")) {
      CHECK(printed(input) == expected);
    }
  }
}

TEST_CASE("every token of the conformance table reads as in Clojure") {
  const std::string path = std::string(ELAPID_SHARED) + "/formats/samples/edn/tokens.tsv";
  std::ifstream file(path);
  if (!file) {
    std::cerr << "SKIPPED: " << path << " is not there; set ELAPID_SHARED\n";
    return;
  }
  int rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) {
      check_row(split_at_tabs(line));
      ++rows;
    }
  }
  CHECK(rows == 197);
}

}  // namespace
}  // namespace elapid::edn
