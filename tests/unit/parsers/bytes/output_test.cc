#include "parsers/bytes/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// What was asked to be brought to the disk, and what its place `out` beside it held then.
struct Synced {
  std::string path;
  std::string seen_in_place;
};

std::vector<Synced>& synced() {
  static std::vector<Synced> all;
  return all;
}

}  // namespace
}  // namespace elapid

// In place of that of the library: fdatasync() does the work.
extern "C" int fsync(int fd) {
  using namespace elapid;
  const fs::path path = fs::read_symlink("/proc/self/fd/" + std::to_string(fd));
  const fs::path folder = fs::is_directory(path) ? path : path.parent_path();
  synced().push_back({path, content_of(folder / "out")});
  return ::fdatasync(fd);
}

namespace elapid {
namespace {

TEST_CASE("a file is in its place once it is committed, and not before") {
  const TemporaryFolder folder;
  std::ofstream(folder / "out") << "old";
  {
    Result<OutputFile> out = OutputFile::create(folder / "out");
    REQUIRE(out);
    out.value() << "n" << 12 << ',' << -7;
    CHECK(out.value().size() == 6);
    CHECK(content_of(folder / "out") == "old");
    REQUIRE(out.value().commit().ok());
  }
  CHECK(content_of(folder / "out") == "n12,-7");
  CHECK(listing(folder.path()) == "out");
}

TEST_CASE("a file that is given up leaves nothing behind") {
  const TemporaryFolder folder;
  std::ofstream(folder / "out") << "old";
  {
    Result<OutputFile> out = OutputFile::create(folder / "out");
    REQUIRE(out);
    out.value() << std::string(1 << 20, 'x');
  }
  CHECK(content_of(folder / "out") == "old");
  CHECK(listing(folder.path()) == "out");
}

TEST_CASE("more than the buffer holds is written in order, and can be written over") {
  const TemporaryFolder folder;
  std::string expected;
  Result<OutputFile> out = OutputFile::create(folder / "out");
  REQUIRE(out);
  for (int i = 0; i < 40000; ++i) {
    out.value() << i << '\n';
    expected += std::to_string(i) + '\n';
  }
  out.value().overwrite(0, "#");
  expected[0] = '#';
  REQUIRE(out.value().commit().ok());
  CHECK(content_of(folder / "out") == expected);
}

TEST_CASE("what goes to a pipe can be written over until it is committed") {
  const TemporaryFolder folder;
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  std::string received;
  std::thread reader([&] { received = content_of(folder / "pipe"); });
  std::string expected;
  Result<OutputFile> out = OutputFile::create(folder / "pipe");
  REQUIRE(out);
  out.value().allow_overwriting();
  for (int i = 0; i < 40000; ++i) {
    out.value() << i << '\n';
    expected += std::to_string(i) + '\n';
  }
  out.value().overwrite(2, "#");
  expected[2] = '#';
  CHECK(out.value().commit().ok());
  { const OutputFile closed = std::move(out).value(); }
  reader.join();
  CHECK(received == expected);
}

TEST_CASE("names that a killed process of the same number has left are passed over") {
  const TemporaryFolder folder;
  const std::string taken = folder / "out.partial-" + std::to_string(::getpid()) + '-';
  for (int i = 0; i < 1000; ++i) {  // more than this program has used so far
    std::ofstream(taken + std::to_string(i)) << "killed";
  }
  Result<OutputFile> out = OutputFile::create(folder / "out");
  REQUIRE(out);
  out.value() << "new";
  CHECK(out.value().commit().ok());
  CHECK(content_of(folder / "out") == "new");
}

TEST_CASE("a file is on the disk before it is in its place, and its place is then") {
  const TemporaryFolder folder;
  std::ofstream(folder / "out") << "old";
  Result<OutputFile> out = OutputFile::create(folder / "out");
  REQUIRE(out);
  out.value() << "new";
  synced().clear();
  CHECK(out.value().commit().ok());
  REQUIRE(synced().size() == 2);
  CHECK(synced()[0].path.starts_with(folder / "out.partial-"));
  CHECK(synced()[0].seen_in_place == "old");
  CHECK(fs::equivalent(synced()[1].path, folder.path()));
  CHECK(synced()[1].seen_in_place == "new");
}

TEST_CASE("a link is put in the place of a link, and of nothing else") {
  const TemporaryFolder folder;
  CHECK(put_link("one", folder / "link").ok());
  CHECK(put_link("two", folder / "link").ok());
  CHECK(fs::read_symlink(folder / "link") == "two");
  std::ofstream(folder / "file") << "mine";
  CHECK_FALSE(put_link("two", folder / "file").ok());
  CHECK(content_of(folder / "file") == "mine");
  CHECK(listing(folder.path()) == "file link");
}

TEST_CASE("a link stays a link to the file that is replaced") {
  const TemporaryFolder folder;
  std::ofstream(folder / "real") << "old";
  fs::create_symlink(folder / "real", folder / "link");
  Result<OutputFile> out = OutputFile::create(folder / "link");
  REQUIRE(out);
  out.value() << "new";
  REQUIRE(out.value().commit().ok());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content_of(folder / "real") == "new");
}

TEST_CASE("what is no file is written in place") {
  Result<OutputFile> out = OutputFile::create("/dev/null");
  REQUIRE(out);
  out.value() << "x";
  CHECK(out.value().commit().ok());
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("where no file can be, the error names it") {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.path().string(), folder / "missing/out"}) {
    const Result<OutputFile> out = OutputFile::create(path);
    REQUIRE_FALSE(out);
    CHECK(out.error().kind == ErrorKind::kUnreadable);
    CHECK(out.error().file == path);
  }
}

TEST_CASE("a write that fails is told at the end") {
  Result<OutputFile> out = OutputFile::create("/dev/full");
  REQUIRE(out);
  out.value() << "x";
  const Status status = out.value().commit();
  REQUIRE_FALSE(status.ok());
  CHECK(status.error().kind == ErrorKind::kUnreadable);
  CHECK(status.error().file == "/dev/full");
}

TEST_CASE("a directory appears whole, at a new place or an empty one") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "empty");
  for (const char* name : {"new", "empty"}) {
    Result<OutputDirectory> out = OutputDirectory::create(folder / name);
    REQUIRE(out);
    Result<OutputFile> file = out.value().file("a.log");
    REQUIRE(file);
    file.value() << "a";
    REQUIRE(file.value().commit().ok());
    REQUIRE(out.value().commit().ok());
    CHECK(content_of(fs::path(folder / name) / "a.log") == "a");
  }
  CHECK(listing(folder.path()) == "empty new");
}

TEST_CASE("a directory with something in it is left alone") {
  const TemporaryFolder folder;
  fs::create_directory(folder / "theirs");
  std::ofstream(folder / "theirs/T0.log") << "theirs";
  const Result<OutputDirectory> out = OutputDirectory::create(folder / "theirs");
  REQUIRE_FALSE(out);
  CHECK(out.error().kind == ErrorKind::kUsage);
  CHECK(content_of(folder / "theirs/T0.log") == "theirs");
}

TEST_CASE("a directory that is given up leaves nothing behind") {
  const TemporaryFolder folder;
  {
    Result<OutputDirectory> out = OutputDirectory::create(folder / "new");
    REQUIRE(out);
    Result<OutputFile> file = out.value().file("a.log");
    REQUIRE(file);
    REQUIRE(file.value().commit().ok());
  }
  CHECK(listing(folder.path()).empty());
}

}  // namespace
}  // namespace elapid
