#include "adapter/cli/terminal/progress.h"
#include "engine/ir/with_commas.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

using Seconds = std::chrono::duration<double>;

TEST_CASE("thousands are told apart") {
  CHECK(with_commas(0) == "0");
  CHECK(with_commas(999) == "999");
  CHECK(with_commas(3971) == "3,971");
  CHECK(with_commas(1234567) == "1,234,567");
}

TEST_CASE("a bar says how much is done and how long the rest takes") {
  CHECK(progress_bar({.done = 312, .total = 3971, .unit = "MB"}, Seconds(20)) ==
        "[=>                  ] 312 of 3,971 MB, 4 min left");
  CHECK(progress_bar({.done = 1, .total = 2}, Seconds(7)) ==
        "[==========>         ] 1 of 2, 7 s left");
  CHECK(progress_bar({.done = 2, .total = 2}, Seconds(7)) ==
        "[====================] 2 of 2, 0 s left");
  CHECK(progress_bar({.done = 100, .total = 10'000}, Seconds(3600)) ==
        "[                    ] 100 of 10,000, 99 h left");
}

TEST_CASE("a rate that says little yet is not told") {
  CHECK(progress_bar({.done = 0, .total = 5}, Seconds(100)) == "[                    ] 0 of 5");
  CHECK(progress_bar({.done = 1, .total = 1000}, Seconds(2)) ==
        "[                    ] 1 of 1,000");
}

TEST_CASE("of a long path the end is shown") {
  CHECK(end_of_path("store/a/history.edn", 19) == "store/a/history.edn");
  CHECK(end_of_path("store/a/history.edn", 14) == "...history.edn");
  CHECK(end_of_path("store/\u00e4\u00e4", 6) == "...\u00e4");  // no half of a character
}

}  // namespace
}  // namespace elapid
