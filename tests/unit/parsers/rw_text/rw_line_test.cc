#include "parsers/rw_text/rw_line.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "parsers/bytes/byte_source.h"

namespace elapid {
namespace {

using Fields = std::tuple<bool, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;

std::vector<Fields> scan(const std::string& text, Status& status) {
  const auto source = memory_source("input", text);
  Window window(*source);
  RwScanner scanner(window);
  std::vector<Fields> lines;
  for (RwLine line; scanner.next(line);) {
    lines.emplace_back(line.is_write, line.key, line.value, line.session, line.txn);
  }
  status = scanner.status();
  return lines;
}

std::string line_error(const std::string& text) {
  Status status;
  scan(text, status);
  return status.ok() ? ""
                     : std::to_string(*status.error().byte_offset) + ": " + status.error().message;
}

TEST_CASE("numbers of every length are read, at the end of the input and far from it") {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  const std::string far(1000, 'x');
  for (std::int64_t n = 1; n <= kMax / 10; n = n * 10 + n % 9 + 1) {
    const std::string digits = std::to_string(n);
    const std::string line = "w(" + digits + ",0," + digits + ",-" + digits + ")\n";
    for (const std::string& rest : {std::string(), far}) {
      Status status;
      const std::vector<Fields> lines = scan(line + rest, status);
      REQUIRE(lines.size() == 1);
      CHECK(lines[0] == Fields{true, n, 0, n, -n});
      CHECK(status.ok() == rest.empty());
    }
  }
  Status status;
  CHECK(scan("r(9223372036854775807,00000000,0000000000000000001,-9223372036854775807)", status) ==
        std::vector<Fields>{{false, kMax, 0, 1, -kMax}});
  CHECK(status.ok());
}

TEST_CASE("lines end with LF, CRLF or the input") {
  for (const std::string ends : {"\n", "\r\n"}) {
    for (const std::string last : {"", "\r", "\n", "\r\n"}) {
      Status status;
      CHECK(scan("w(1,2,3,4)" + ends + "r(5,6,7,8)" + last, status) ==
            std::vector<Fields>{{true, 1, 2, 3, 4}, {false, 5, 6, 7, 8}});
      CHECK(status.ok());
    }
  }
}

TEST_CASE("lines that end as the one before, or almost so, are told apart") {
  const std::vector<std::pair<std::int64_t, std::int64_t>> names = {{1, 2},
                                                                    {1, 2},
                                                                    {12, 2},
                                                                    {1, 22},
                                                                    {1, 2},
                                                                    {1, -2},
                                                                    {1, -1},
                                                                    {1, -1},
                                                                    {123456, 1234},
                                                                    {123456, 1234},
                                                                    {123456, 12},
                                                                    {1234567, 1234567},
                                                                    {12, 34},
                                                                    {12, 34},
                                                                    {12, 345},
                                                                    {1, 2},
                                                                    {1234567, 12345678},
                                                                    {1234567, 12345678}};
  for (const std::string end : {"\n", "\r\n"}) {
    std::string text;
    std::vector<Fields> expected;
    for (const auto& [session, txn] : names) {
      text += "w(5,6," + std::to_string(session) + ',' + std::to_string(txn) + ')' + end;
      expected.emplace_back(true, 5, 6, session, txn);
    }
    Status status;
    CHECK(scan(text, status) == expected);
    CHECK(status.ok());
    CHECK(scan(text + text.substr(0, text.find('\n')), status).size() == names.size() + 1);
  }
  CHECK(line_error("w(1,1,0,0)\nw(1,1,0,0)x\n") == "21: expected the end of the line, found `x`");
  CHECK(line_error("w(1,1,0,0)w(1,1,0,0)\n") ==
        "10: expected the end of the line, found `w(1,1,0,0)`");
}

TEST_CASE("what breaks a line is named with its place") {
  CHECK(line_error("x(1,1,0,0)") == "0: expected `r(` or `w(`, found `x(1,1,0,0)`");
  CHECK(line_error("w(1,1,0,0)\n\n") == "11: expected `r(` or `w(`, found the end of the line");
  CHECK(line_error("w(-1,1,0,0)") ==
        "2: expected a key, a natural number below 2^63, found `-1,1,0,0)`");
  CHECK(line_error("w(1, 1,0,0)") ==
        "4: expected a value, a natural number below 2^63, found a blank");
  CHECK(line_error("w(1,1,s,0)") ==
        "6: expected a session, a natural number below 2^63, found `s,0)`");
  CHECK(line_error("w(1,1,0,--1)") ==
        "9: expected a transaction, an integer of at most 63 bits, found `-1)`");
  CHECK(line_error("w(9223372036854775808,1,0,0)") ==
        "2: expected a key, a natural number below 2^63, found `9223372036854775808,...`");
  CHECK(line_error("w(1 ,1,0,0)") == "3: expected `,` behind the key, found a blank");
  CHECK(line_error("w(1,2;1,0)") == "5: expected `,` behind the value, found `;1,0)`");
  CHECK(line_error("w(1,2,3)") == "7: expected `,` behind the session, found `)`");
  CHECK(line_error("w(1,2,3,4") ==
        "9: expected `)` behind the transaction, found the end of the input");
  CHECK(line_error("w(1,2,3,4) ") == "10: expected the end of the line, found a blank");
  CHECK(line_error(std::string("w(1,2,3,4)\0\n", 12)) ==
        "10: expected the end of the line, found `?`");
  CHECK(line_error("w(1,2,3,4)\n" + std::string(500, '7')) ==
        "11: expected `r(` or `w(`, found `77777777777777777777...`");
}

}  // namespace
}  // namespace elapid
