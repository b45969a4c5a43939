#include "adapter/watch/appended_file.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "tests/support/temporary_folder.h"

namespace elapid {
namespace {

TEST_CASE("an appended file is made, and opened at its end again") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "lines";
  CHECK_FALSE(AppendedFile::open(path, false).ok());
  {
    Result<AppendedFile> file = AppendedFile::open(path);
    REQUIRE(file.ok());
    CHECK(file.value().size() == 0);
    CHECK(file.value().append("one\ntwo\n").ok());
    CHECK(file.value().size() == 8);
    CHECK(file.value().sync().ok());
  }
  Result<AppendedFile> file = AppendedFile::open(path, false);
  REQUIRE(file.ok());
  CHECK(file.value().append("three\n").ok());
  CHECK(file.value().overwrite(4, "TWO").ok());
  CHECK(file.value().read(2, 7).value() == "e\nTWO\nt");
  CHECK(file.value().read(9, 100).value() == "hree\n");
  CHECK(file.value().read(100, 1).value().empty());
  CHECK(content_of(path) == "one\nTWO\nthree\n");
  CHECK(file.value().truncate(4).ok());
  CHECK(file.value().append("2\n").ok());
  CHECK(content_of(path) == "one\n2\n");
}

TEST_CASE("an appended file that cannot be") {
  const Result<AppendedFile> file = AppendedFile::open("/proc/nowhere/lines");
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
