#include "parsers/cobra/version_table.h"

#include <catch2/catch.hpp>

namespace elapid::cobra {
namespace {

ValueId number(std::uint64_t n) {
  return ValueId::integer(static_cast<std::int64_t>(n));
}

Version version(std::uint32_t statement) {
  return {statement & VersionTable::kStatementBits, false};
}

/// Adds writes `first`, `first + step`, ... of one key, then looks for them.
void check_writes(std::size_t expected, std::uint64_t first, std::uint64_t step) {
  constexpr std::uint64_t kCount = 5'000;
  VersionTable table(expected);
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const std::uint64_t write = first + i * step;
    table.prefetch(write, {3});
    REQUIRE(table.find(write, {3}).version == nullptr);
    table.add(write, {3}, number(i * step), version(static_cast<std::uint32_t>(i)));
  }
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const VersionTable::Found found = table.find(first + i * step, {3});
    REQUIRE(found.version != nullptr);
    REQUIRE(found.version->statement == i);
    REQUIRE(found.value == number(i * step));
  }
  CHECK(table.find(first + kCount * step, {3}).version == nullptr);
  CHECK(table.find(first, {4}).version == nullptr);
}

TEST_CASE("versions are found again by small and by large ids") {
  for (const std::size_t expected : {0U, 100U, 100'000U}) {
    check_writes(expected, 0, 1);
    check_writes(expected, 0, 64);
    check_writes(expected, 0x0fffffff00000000, 1);
    check_writes(expected, 0x0fffffff00000000, 4096);
  }
}

TEST_CASE("one id of several keys is several versions") {
  VersionTable table(1000);
  constexpr std::uint32_t kKeys = 2000;
  for (std::uint32_t key = 0; key < kKeys; ++key) {
    REQUIRE(table.find(7, {key}).version == nullptr);
    table.add(7, {key}, number(7), version(key));
  }
  for (std::uint32_t key = 0; key < kKeys; ++key) {
    const VersionTable::Found found = table.find(7, {key});
    REQUIRE(found.version != nullptr);
    CHECK(found.version->statement == key);
    CHECK(found.value == number(7));
  }
}

TEST_CASE("statements differ in writer and value hash") {
  CHECK(VersionTable::statement(1, 2) == VersionTable::statement(1, 2));
  CHECK(VersionTable::statement(1, 2) != VersionTable::statement(2, 1));
  CHECK(VersionTable::statement(0x100000001, 2) != VersionTable::statement(0x100000002, 2));
}

}  // namespace
}  // namespace elapid::cobra
