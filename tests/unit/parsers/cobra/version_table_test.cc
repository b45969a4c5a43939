#include "parsers/cobra/version_table.h"

#include <catch2/catch.hpp>
#include <set>

namespace elapid::cobra {
namespace {

TEST_CASE("versions are found again while the table grows") {
  constexpr std::uint64_t kCount = 10'000;
  VersionTable table(0);
  for (std::uint64_t write = 0; write < kCount; ++write) {
    const std::uint64_t name = VersionTable::name(write, {3});
    Version& slot = table.slot(name);
    REQUIRE(slot.is_empty_slot());
    table.add(slot, {name, ValueId::integer(static_cast<std::int64_t>(write)), 1, 0});
  }
  for (std::uint64_t write = 0; write < kCount; ++write) {
    const Version& version = table.slot(VersionTable::name(write, {3}));
    REQUIRE(version.value == ValueId::integer(static_cast<std::int64_t>(write)));
  }
  CHECK(table.slot(VersionTable::name(kCount, {3})).is_empty_slot());
  CHECK(table.slot(VersionTable::name(0, {4})).is_empty_slot());
}

TEST_CASE("writes of small integers have names of their own") {
  std::set<std::uint64_t> names;
  for (std::uint32_t key = 0; key < 300; ++key) {
    for (std::uint64_t write = 0; write < 300; ++write) {
      names.insert(VersionTable::name(write, {key}));
    }
  }
  CHECK(names.size() == 300 * 300);
}

TEST_CASE("statements differ in writer and value hash") {
  CHECK(VersionTable::statement(1, 2) == VersionTable::statement(1, 2));
  CHECK(VersionTable::statement(1, 2) != VersionTable::statement(2, 1));
  CHECK(VersionTable::statement(0x100000001, 2) != VersionTable::statement(0x100000002, 2));
}

}  // namespace
}  // namespace elapid::cobra
