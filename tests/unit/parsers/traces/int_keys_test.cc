#include "parsers/traces/int_keys.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>

namespace elapid {
namespace {

TEST_CASE("integers name the keys that their values name") {
  HistoryBuilder builder;
  IntKeys keys(builder);
  for (const std::int64_t name :
       {std::int64_t{0}, std::int64_t{5}, std::int64_t{-1}, (std::int64_t{1} << 22) - 1,
        std::int64_t{1} << 22, std::numeric_limits<std::int64_t>::max()}) {
    const KeyId key = keys.key(name);
    CHECK(keys.key(name) == key);
    CHECK(builder.key(builder.values().integer(name)) == key);
  }
}

}  // namespace
}  // namespace elapid
