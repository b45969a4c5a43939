#include "harness/generate/key_space.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("key space: a key is retired after so many writes") {
  KeySpace keys(3, 2, {});
  CHECK(keys.at(1).key == 1);
  CHECK(keys.count_write(1) == 1);
  CHECK(keys.at(1).key == 1);
  CHECK(keys.count_write(1) == 2);
  CHECK(keys.at(1).key == 3);
  CHECK(keys.at(0).key == 0);
  CHECK(keys.count_write(1) == 1);
}

TEST_CASE("key space: keys are never retired where no number is said") {
  KeySpace keys(1, 0, {});
  for (std::uint64_t nth = 1; nth < 100; ++nth) {
    CHECK(keys.count_write(0) == nth);
  }
  CHECK(keys.at(0).key == 0);
}

TEST_CASE("key space: a place is used again once no request holds it") {
  KeySpace keys(1, 1, {});
  const KeyRef first = keys.at(0);
  keys.hold(first.slot);
  keys.count_write(0);
  CHECK(keys.at(0).slot != first.slot);
  keys.release(first.slot);
  keys.count_write(0);
  CHECK(keys.at(0).slot == first.slot);
  CHECK(keys.at(0).key == 2);
}

}  // namespace
}  // namespace elapid
