#include "harness/process/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "harness/process/scratch_folder.h"
#include "tests/support/wait_until.h"

namespace elapid {
namespace {

std::string note_in(const ScratchFolder& folder) {
  return folder.path() + "/cleaned-up";
}

TEST_CASE("a guard that is let go cleans nothing up") {
  const Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  const std::string note = note_in(folder.value());
  {
    const Result<Guard> guard = Guard::begin([&] { std::ofstream(note) << "done"; });
    REQUIRE(guard.ok());
  }
  CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // nor is it there any more
  CHECK_FALSE(std::filesystem::exists(note));
}

TEST_CASE("a guard of a program that is killed cleans up, and holds nothing else of it") {
  const Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  const std::string note = note_in(folder.value());
  std::array<int, 2> pipe = {-1, -1};
  REQUIRE(::pipe2(pipe.data(), O_CLOEXEC) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const Result<Guard> guard = Guard::begin([&] { std::ofstream(note) << "done"; });
    const char outcome = guard.ok() ? 'y' : 'n';
    ::_exit(::write(pipe[1], &outcome, 1) == 1 && ::pause() == 0 ? 0 : 1);
  }
  ::close(pipe[1]);
  char outcome = '?';
  REQUIRE(::read(pipe[0], &outcome, 1) == 1);
  CHECK(outcome == 'y');
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  CHECK(::read(pipe[0], &outcome, 1) == 0);  // no process has the other end
  ::close(pipe[0]);
  CHECK(wait_until([&] { return std::filesystem::exists(note); }));
}

}  // namespace
}  // namespace elapid
