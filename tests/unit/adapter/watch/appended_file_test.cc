#include "adapter/watch/appended_file.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "tests/unit/parsers/temporary_folder.h"

namespace elapid {
namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST_CASE("an appended file is made, and opened at its end again") {
  const TemporaryFolder folder;
  const std::string path = folder.path() / "lines";
  {
    Result<AppendedFile> file = AppendedFile::open(path);
    REQUIRE(file.ok());
    CHECK(file.value().size() == 0);
    CHECK(file.value().last_line().value().empty());
    CHECK(file.value().append("one\ntwo\n").ok());
    CHECK(file.value().size() == 8);
    CHECK(file.value().last_line().value() == "two");
  }
  Result<AppendedFile> file = AppendedFile::open(path);
  CHECK(file.value().last_line().value() == "two");
  CHECK(file.value().append("three\n").ok());
  CHECK(file.value().last_line().value() == "three");
  CHECK(content(path) == "one\ntwo\nthree\n");
}

TEST_CASE("an appended file loses an unfinished last line") {
  const TemporaryFolder folder;
  const std::string long_line(200'000, 'x');
  for (const std::string& cut : {std::string("hal"), long_line}) {
    const std::string path = folder.write("lines", "one\n" + long_line + "\n" + cut);
    Result<AppendedFile> file = AppendedFile::open(path);
    REQUIRE(file.ok());
    CHECK(file.value().size() == 4 + long_line.size() + 1);
    CHECK(file.value().last_line().value() == long_line);
    CHECK(file.value().append("two\n").ok());
    CHECK(content(path) == "one\n" + long_line + "\ntwo\n");
  }
  const std::string path = folder.write("lines", "never finished");
  CHECK(AppendedFile::open(path).value().size() == 0);
  CHECK(content(path).empty());
}

TEST_CASE("an appended file that cannot be") {
  const Result<AppendedFile> file = AppendedFile::open("/proc/nowhere/lines");
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().kind == ErrorKind::kUnreadable);
}

}  // namespace
}  // namespace elapid
