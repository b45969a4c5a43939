#include "adapter/cli/reports/reports.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <latch>
#include <stdexcept>

namespace elapid {
namespace {

Report with_code(ExitCode code) {
  return {.code = code};
}

TEST_CASE("all inputs are worked on once, on any number of threads") {
  for (const std::size_t threads : {1U, 2U, 7U}) {
    std::vector<std::atomic<int>> made(20);
    Progress progress(true);
    const ExitCode code = print_reports(made.size(), threads, progress, [&](std::size_t input) {
      ++made[input];
      return with_code(ExitCode::kOk);
    });
    CHECK(code == ExitCode::kOk);
    for (const std::atomic<int>& count : made) {
      CHECK(count == 1);
    }
  }
}

TEST_CASE("the first error counts, whichever thread is done first") {
  Progress progress(true);
  std::latch second(1);
  const ExitCode code = print_reports(2, 2, progress, [&](std::size_t input) {
    if (input == 0) {
      second.wait();
    } else {
      second.count_down();
    }
    return with_code(input == 0 ? ExitCode::kUnreadable : ExitCode::kMalformed);
  });
  CHECK(code == ExitCode::kUnreadable);
}

TEST_CASE("an exception becomes an internal error") {
  Progress progress(true);
  const ExitCode code = print_reports(
      1, 1, progress, [](std::size_t) -> Report { throw std::runtime_error("a bug, on purpose"); });
  CHECK(code == ExitCode::kInternal);
}

TEST_CASE("an error is one line that begins with the program's name") {
  const Report report = error_report({.message = "expected a map", .file = "h.edn", .line = 3});
  CHECK(report.err == "elapid: h.edn:3: expected a map\n");
  CHECK(report.out.empty());
  CHECK(report.code == ExitCode::kMalformed);
}

}  // namespace
}  // namespace elapid
