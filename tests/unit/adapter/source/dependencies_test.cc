#include "adapter/source/dependencies.h"

#include <catch2/catch.hpp>

#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

std::string counted(const History& history) {
  return dependencies_text(count_dependencies(history));
}

TEST_CASE("dependencies: of lists, by their longest read") {
  // 1 appends behind 0, 2 reads both, 0 has read the first alone, and 3 nothing.
  CHECK(counted(list_history("0 ax1; 1 ax2; 2 rx12; 0 rx1; 3 rx")) ==
        "1 ww, 1 wr and 2 rw dependencies between sessions");
}

TEST_CASE("dependencies: of registers, by who reads and overwrites") {
  CHECK(counted(register_history("0 wx1; 1 rx1 wx2; 2 rx1; 2 rx2; 1 rx2")) ==
        "1 ww, 3 wr and 1 rw dependencies between sessions");
}

TEST_CASE("dependencies: none within a session, with aborted ones, or by a value of several") {
  CHECK(counted(register_history("0 wx1; 0 rx1 wx2; 1- rx2; 2 wy1; 3 wy1; 4 ry1")) ==
        "0 ww, 0 wr and 0 rw dependencies between sessions");
}

}  // namespace
}  // namespace elapid
