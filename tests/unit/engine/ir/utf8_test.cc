#include "engine/ir/utf8.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("a long text is cut between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc…");
  CHECK(shortened("aé", 2) == "a…");
  CHECK(shortened("日本", 0) == "…");
}

}  // namespace
}  // namespace elapid
