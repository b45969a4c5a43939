#include "harness/drive/growing_file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/generate/random.h"
#include "harness/process/scratch_folder.h"
#include "tests/support/sample_size.h"

using namespace elapid;

namespace {

ScratchFolder growing_folder() {
  Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  return std::move(folder).value();
}

std::string bytes_of(const std::string& path) {
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// The n-th line of a test, of a length that is another each time.
std::string nth_line(std::size_t n) {
  return std::to_string(n) + std::string((n * n * 7919) % 50'000, 'x') + "\n";
}

/// Writes lines until it is killed, and reports each.
[[noreturn]] void write_for_ever(const std::string& path, const std::string& scratch, int told) {
  Result<GrowingFile> file = GrowingFile::create(path, scratch);
  for (std::size_t n = 0; file.ok() && file.value().status().ok(); ++n) {
    file.value().append(nth_line(n));
    static_cast<void>(::write(told, "", 1) != 1);
  }
  ::_exit(1);
}

/// Returns when the file is whole again.
void wait_for_lock(const std::string& path) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  REQUIRE(file.is_open());
  while (::flock(file.get(), LOCK_EX) != 0) {
    REQUIRE(errno == EINTR);
  }
}

}  // namespace

TEST_CASE("A growing file has what was added, and no guard stays behind") {
  const ScratchFolder folder = growing_folder();
  const std::string path = folder.path() + "/lines";
  {
    Result<GrowingFile> file = GrowingFile::create(path, folder.path());
    REQUIRE(file.ok());
    file.value().append("one\n");
    CHECK(bytes_of(path).empty());
    file.value().flush();
    CHECK(bytes_of(path) == "one\n");
    file.value().append("two\n");
  }
  CHECK(bytes_of(path) == "one\ntwo\n");
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}

TEST_CASE("A file that is there already is not written to") {
  const ScratchFolder folder = growing_folder();
  const std::string path = folder.path() + "/lines";
  std::ofstream(path) << "mine\n";
  const Result<GrowingFile> file = GrowingFile::create(path);
  REQUIRE(!file.ok());
  CHECK(file.error().kind == ErrorKind::kUnreadable);
  CHECK(file.error().to_string() == path + ": cannot be made: File exists");
  CHECK(bytes_of(path) == "mine\n");
}

TEST_CASE("A program that is killed while it writes leaves whole lines behind") {
  const ScratchFolder folder = growing_folder();
  Random random(first_seed_of_cases());
  for (std::size_t round = 0; round < round_count(8, 50); ++round) {
    const std::string path = folder.path() + "/" + std::to_string(round);
    const std::string scratch = path + "-scratch";
    std::filesystem::create_directories(scratch + "/deep");
    std::array<int, 2> told = {-1, -1};
    REQUIRE(::pipe2(told.data(), O_CLOEXEC) == 0);
    const FileDescriptor read_end(told[0]);
    FileDescriptor write_end(told[1]);
    const pid_t child = ::fork();
    if (child == 0) {
      write_for_ever(path, scratch, write_end.get());
    }
    write_end = FileDescriptor();
    std::array<char, 1> byte = {};
    for (std::size_t left = 1 + random.below(200); left > 0; --left) {
      REQUIRE(read_end.read(byte, "pipe").value() == 1);
    }
    ::kill(child, SIGKILL);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFSIGNALED(status));
    wait_for_lock(path);
    const std::string found = bytes_of(path);
    std::string expected;
    for (std::size_t n = 0; expected.size() < found.size(); ++n) {
      expected += nth_line(n);
    }
    CHECK(found == expected);
    CHECK(!std::filesystem::exists(scratch));
  }
}

TEST_CASE("Where the disk is full a growing file ends with a whole line, and says so") {
  const ScratchFolder folder = growing_folder();
  const std::string path = folder.path() + "/lines";
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit = {100'000, 100'000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    Result<GrowingFile> file = GrowingFile::create(path);
    const std::string line(999, 'x');
    for (int n = 0; n < 200 && file.ok(); ++n) {
      file.value().append(line + "\n");
    }
    const bool is_told = file.ok() && !file.value().status().ok() &&
                         file.value().status().error().kind == ErrorKind::kUnreadable &&
                         file.value().size() == 100'000;
    ::_exit(is_told ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
  wait_for_lock(path);
  CHECK(bytes_of(path).size() == 100'000);
  CHECK(bytes_of(path).ends_with("x\n"));
}
