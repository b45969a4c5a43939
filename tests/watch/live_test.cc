// A stream that is not there all at once.
#include <signal.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstddef>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tests/support/wait_until.h"
#include "tests/watch/child.h"
#include "tests/watch/told.h"

namespace elapid {
namespace {

constexpr std::string_view kWrite =
    R"({"tid":1,"sid":1,"sts":{"p":1,"l":0},"cts":{"p":2,"l":0},"ops":[{"t":"w","k":1,"v":1}]})"
    "\n";
constexpr std::string_view kStaleRead =
    R"({"tid":2,"sid":2,"sts":{"p":3,"l":0},"cts":{"p":4,"l":0},"ops":[{"t":"r","k":1,"v":0}]})"
    "\n";

/// Whether something is in a file, which may take a while.
bool appears(const std::string& path, std::string_view what) {
  return wait_until([&] { return read_text(path).find(what) != std::string::npos; });
}

std::size_t progress_events(const std::string& path) {
  const std::vector<std::string> lines = lines_of(read_text(path));
  return static_cast<std::size_t>(std::ranges::count_if(
      lines, [](const std::string& line) { return line.starts_with(R"({"event":"progress")"); }));
}

void append(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::app) << text;
}

TEST_CASE("watch: a file that grows, half a line at a time") {
  const TemporaryFolder folder;
  const std::string stream = folder.write("stream.jsonl", kWrite);
  const std::string told = folder.path() / "told";
  Child child({"watch", "--progress", "20ms", "--deadline", "50ms", stream}, told);
  CHECK(appears(told, R"("event":"progress","transactions":1,)"));
  append(stream, kStaleRead.substr(0, 30));
  // It has looked at the file again, more than once.
  const std::size_t before = progress_events(told);
  REQUIRE(wait_until([&] { return progress_events(told) >= before + 3; }));
  CHECK(read_text(told).find(R"("event":"error")") == std::string::npos);
  CHECK(read_text(told).find(R"("transactions":2)") == std::string::npos);
  append(stream, kStaleRead.substr(30));
  CHECK(appears(told, R"({"event":"provisional","axiom":"ext","txn":2,"key":1,"mop":0,"read":0,)"));
  // Nothing more comes, and yet the deadline passes.
  CHECK(appears(told, R"({"event":"final","n":1,"axiom":"ext")"));
  child.signal(SIGTERM);
  CHECK(child.wait() == 1);
  const std::string summary = last_line(read_text(told));
  CHECK(field_of(summary, "event") == R"("summary")");
  CHECK(field_of(summary, "valid?") == "false");
  CHECK(field_of(summary, "whole") == "false");
  CHECK(field_of(summary, "transactions") == "2");
}

TEST_CASE("watch: a signal ends it with a summary of what has come") {
  for (const int signal : {SIGTERM, SIGINT}) {
    const TemporaryFolder folder;
    const std::string told = folder.path() / "told";
    Child child({"watch", "--progress", "50ms", "--deadline", "1h"}, told);
    REQUIRE(child.feed(kWrite));
    REQUIRE(child.feed(kStaleRead.substr(0, 20)));
    CHECK(appears(told, R"("transactions":1,)"));
    child.signal(signal);
    CHECK(child.wait() == 0);
    CHECK(field_of(last_line(read_text(told)), "valid?") == "true");
  }
}

TEST_CASE("watch: a state that a signal ended goes on without a verdict that came too early") {
  const TemporaryFolder folder;
  const std::string told = folder.path() / "told";
  const std::string state = folder.path() / "state";
  {
    Child child({"watch", "--progress", "50ms", "--deadline", "1h", "--state", state}, told);
    REQUIRE(child.feed(kStaleRead));
    CHECK(appears(told, R"("event":"provisional")"));
    child.signal(SIGTERM);
    CHECK(child.wait() == 2);  // it reads a value not written by now
  }
  CHECK(read_text(state + "/events.jsonl").empty());
  Child child({"watch", "--deadline", "1h", "--state", state}, told);
  REQUIRE(child.feed(R"({"tid":3,"sid":3,"sts":{"p":1,"l":0},"cts":{"p":2,"l":0},)"
                     R"("ops":[{"t":"w","k":1,"v":0}]})"
                     "\n"));
  child.end_input();
  CHECK(child.wait() == 0);
  CHECK(read_text(told).find(R"("event":"retracted")") != std::string::npos);
  CHECK(field_of(last_line(read_text(told)), "transactions") == "2");
}

}  // namespace
}  // namespace elapid
