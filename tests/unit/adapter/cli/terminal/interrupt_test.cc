#include "adapter/cli/terminal/interrupt.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>

#include "parsers/bytes/file_descriptor.h"

namespace elapid {
namespace {

TEST_CASE("interrupt: a signal to a forked child does not end the waits of its parent") {
  std::array<int, 2> ends = {-1, -1};
  REQUIRE(::pipe(ends.data()) == 0);
  const FileDescriptor reading(ends[0]);
  const FileDescriptor writing(ends[1]);
  catch_interrupt();
  catch_termination();
  const pid_t child = ::fork();
  if (child == 0) {
    ::raise(SIGTERM);
    ::_exit(interrupted() ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);  // the child knows
  CHECK_FALSE(interrupted());
  REQUIRE(::write(writing.get(), "x", 1) == 1);
  CHECK(reading.wait("pipe").ok());

  ::raise(SIGTERM);
  CHECK(interrupted());
  CHECK_FALSE(reading.wait("pipe").ok());
  CHECK(take_interrupt());
  CHECK(reading.wait("pipe").ok());
  ::signal(SIGINT, SIG_DFL);
}

}  // namespace
}  // namespace elapid
