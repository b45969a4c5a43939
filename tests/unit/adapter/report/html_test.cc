#include "adapter/report/html.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("html: nothing in a text is markup") {
  CHECK(html("<script>alert('&\"')</script>") ==
        "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;");
  CHECK(html("plain é 日本") == "plain é 日本");
}

TEST_CASE("html: what is not seen is made visible") {
  CHECK(html("a\x1b[31m<b>\u202e") == "a\\u001b[31m&lt;b&gt;\\u202e");
}

}  // namespace
}  // namespace elapid
