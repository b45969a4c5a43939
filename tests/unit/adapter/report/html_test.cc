#include "adapter/report/html.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("html: nothing in a text is markup") {
  CHECK(html("<script>alert('&\"')</script>") ==
        "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;");
  CHECK(html("plain é 日本") == "plain é 日本");
}

TEST_CASE("html: what is not seen, or turns others round, is made visible") {
  CHECK(visible("a\x1b[31mb") == "a\\u001b[31mb");
  CHECK(visible("user\u202e]nimda[") == "user\\u202e]nimda[");
  CHECK(visible("x\u2066y\u2069") == "x\\u2066y\\u2069");
  CHECK(visible("a\u200bb\u00adc\ufeff") == "a\\u200bb\\u00adc\\ufeff");
  CHECK(visible("\U000e0041") == "\\u{e0041}");
  CHECK(visible(std::string_view("a\0b", 3)) == "a\\u0000b");
  CHECK(visible("lines\nand\ttabs") == "lines\nand\ttabs");
  CHECK(visible("stray \xff byte, half \xe2\x82") == "stray � byte, half ��");
}

TEST_CASE("html: texts are cut between characters") {
  CHECK(shortened("abc", 3) == "abc");
  CHECK(shortened("abcd", 3) == "abc…");
  CHECK(shortened("aé", 2) == "a…");
  CHECK(shortened("日本", 0) == "…");
}

}  // namespace
}  // namespace elapid
