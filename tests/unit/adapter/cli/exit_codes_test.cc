#include "adapter/cli/exit_codes.h"

#include <array>
#include <catch2/catch.hpp>

namespace elapid {
namespace {

TEST_CASE("every kind of error has its exit code") {
  CHECK(exit_code(ErrorKind::kUsage) == ExitCode::kUsage);
  CHECK(exit_code(ErrorKind::kMalformed) == ExitCode::kMalformed);
  CHECK(exit_code(ErrorKind::kUnreadable) == ExitCode::kUnreadable);
  CHECK(exit_code(ErrorKind::kInternal) == ExitCode::kInternal);
}

TEST_CASE("over several inputs the gravest outcome counts") {
  constexpr std::array kAscending = {ExitCode::kOk, ExitCode::kUnknown, ExitCode::kLint,
                                     ExitCode::kMalformed, ExitCode::kInvalid};
  for (std::size_t i = 0; i < kAscending.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      CHECK(combine(kAscending[i], kAscending[j]) == kAscending[i]);
      CHECK(combine(kAscending[j], kAscending[i]) == kAscending[i]);
    }
  }
}

TEST_CASE("of several errors the first counts") {
  CHECK(combine(ExitCode::kUnreadable, ExitCode::kMalformed) == ExitCode::kUnreadable);
}

}  // namespace
}  // namespace elapid
