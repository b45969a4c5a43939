#include "engine/ir/json_string.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("JSON strings escape quotes, backslashes and control characters only") {
  CHECK(json_quoted("") == R"("")");
  CHECK(json_quoted(R"(a "b" \c)") == R"("a \"b\" \\c")");
  CHECK(json_quoted("\n\x1f\x7f") == R"("\u000a\u001f\u007f")");
  CHECK(json_quoted("\xC3\xA9") == "\"\xC3\xA9\"");
}

TEST_CASE("JSON strings are UTF-8, whatever bytes the name of a file has") {
  CHECK(json_quoted("a\xff"
                    "b\xC3") ==
        "\"a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD\"");
  CHECK(json_quoted("half \xED\xA0\x80") == R"("half \ud800")");
}

}  // namespace
}  // namespace elapid
