#include "harness/process/fork_server.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace elapid {
namespace {

int prepared = 0;

/// What the words ask for, and which process it is; the exit code is 3.
int do_as_told(const std::vector<std::string>& command) {
  const std::string& what = command.at(1);
  if (what == "abort") {
    std::abort();
  }
  if (what == "throw") {
    throw std::runtime_error("as told");
  }
  while (what == "sleep") {
    ::pause();
  }
  if (what == "write") {
    const int fd = ::open("much", O_WRONLY | O_CREAT, 0600);
    ::signal(SIGXFSZ, SIG_IGN);
    return ::write(fd, std::string(10000, 'x').data(), 10000) == 10000 ? 0 : 1;
  }
  std::printf("%s %s %d", what.c_str(), std::filesystem::current_path().c_str(), ++prepared);
  std::fprintf(stderr, "err");
  return ::fcntl(STDERR_FILENO + 1, F_GETFD) < 0 ? 3 : 4;  // nothing else is open
}

Result<ForkServer> begin() {
  return ForkServer::begin(do_as_told, [] { prepared = 7; });
}

}  // namespace

TEST_CASE("fork server: each run is a process that was prepared, with output and exit code") {
  Result<ForkServer> server = begin();
  REQUIRE(server.ok());
  for (int i = 0; i < 3; ++i) {
    const ProgramRun run = run_program({"/nowhere", "say"}, "/usr", {}, {}, &server.value());
    CHECK(run.out == "say /usr 8");
    CHECK(run.err == "err");
    CHECK(run.exit_code == 3);
    CHECK(run.peak_bytes > 0);
  }
  CHECK(prepared == 0);
}

TEST_CASE("fork server: what a run does ends that run alone") {
  Result<ForkServer> server = begin();
  REQUIRE(server.ok());
  const auto run = [&](const std::string& what, const RunLimits& limits = {}) {
    return run_program({"/nowhere", what}, std::filesystem::temp_directory_path().string(), limits,
                       {}, &server.value());
  };
  CHECK(run("abort").signal == SIGABRT);
  CHECK(run("throw").exit_code == 127);
  CHECK(run("write", {.file = 5000}).exit_code == 1);
  const ProgramRun late =
      run("sleep", {.time = std::chrono::milliseconds(100), .grace = std::chrono::seconds(30)});
  CHECK(late.is_out_of_time);
  CHECK(late.signal == SIGTERM);
  CHECK(run("write").exit_code == 0);
  std::filesystem::remove(std::filesystem::temp_directory_path() / "much");
  CHECK(run_program({"/nowhere", "say"}, "/not/there", {}, {}, &server.value()).exit_code == 127);
}

TEST_CASE("fork server: a run that nothing collects ends with its server") {
  Result<ForkServer> server = begin();
  REQUIRE(server.ok());
  const FileDescriptor null(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  CHECK(server.value().start({"/nowhere", "sleep"}, "/", {}, null.get(), null.get()) > 0);
  // The server ends with the test case, which would wait for the run forever.
}

TEST_CASE("fork server: runs that it cannot take are programs of their own") {
  Result<ForkServer> server = begin();
  REQUIRE(server.ok());
  const std::string text(200000, 'x');
  const ProgramRun run = run_program({"/bin/sh", "-c", "echo started #" + text.substr(0, 120000)},
                                     "/", {}, {}, &server.value());
  CHECK(run.out == "started\n");
  const ProgramRun after = run_program({"/nowhere", "say"}, "/usr", {}, {}, &server.value());
  CHECK(after.out == "say /usr 8");
}

}  // namespace elapid
