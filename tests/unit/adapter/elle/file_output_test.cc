#include "adapter/elle/file_output.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/unit/adapter/elle/temporary_directory.h"

namespace elapid {
namespace {

using namespace elle_test;

TEST_CASE("ordinary keys keep their text") {
  CHECK(safe_file_name(":x") == ":x");
  CHECK(safe_file_name("12") == "12");
  CHECK(safe_file_name("\"k 1\"") == "\"k 1\"");
  CHECK(safe_file_name("é") == "é");
}

TEST_CASE("no name leaves its directory or hides") {
  CHECK(safe_file_name("..") == "%2E.");
  CHECK(safe_file_name("../../etc/passwd") == "%2E.%2F..%2Fetc%2Fpasswd");
  CHECK(safe_file_name(":a/b") == ":a%2Fb");
  CHECK(safe_file_name(std::string_view("a\0b\n", 4)) == "a%00b%0A");
  CHECK(safe_file_name("%2F") == "%252F");
  CHECK(safe_file_name("a\u202eb\x1b[8m\xff") == "a%E2%80%AEb%1B[8m%FF");
  CHECK(safe_file_name("").size() == 1);
}

TEST_CASE("long names are cut and stay different") {
  const std::string a = safe_file_name(std::string(1000, 'k') + "1");
  const std::string b = safe_file_name(std::string(1000, 'k') + "2");
  CHECK(a.size() < 200);
  CHECK(a.starts_with("kkkk"));
  CHECK(a != b);
}

TEST_CASE("files appear whole, with their directories, and are replaced") {
  const TemporaryDirectory directory;
  const auto file = directory.path() / "a" / "b" / "f.txt";
  CHECK(write_file(file, "one").ok());
  CHECK(write_file(file, "two\n").ok());
  CHECK(directory.read("a/b/f.txt") == "two\n");
  CHECK(directory.file_count() == 1);
}

TEST_CASE("what cannot be written is an error that names the file") {
  const TemporaryDirectory directory;
  REQUIRE(write_file(directory.path() / "file", "").ok());
  Status below_file = write_file(directory.path() / "file" / "f.txt", "x");
  REQUIRE_FALSE(below_file.ok());
  CHECK(below_file.error().kind == ErrorKind::kUnreadable);
  CHECK(below_file.error().file == (directory.path() / "file" / "f.txt").string());
  std::filesystem::create_directories(directory.path() / "folder" / "inner");
  CHECK_FALSE(write_file(directory.path() / "folder", "x").ok());
  CHECK(directory.file_count() == 1);
}

}  // namespace
}  // namespace elapid
