#include "adapter/cli/exit_codes.h"

#include <array>

namespace elapid {
namespace {

int rank(ExitCode code) {
  switch (code) {
    case ExitCode::kOk:
      return 0;
    case ExitCode::kUnknown:
      return 1;
    case ExitCode::kVacuous:
      return 2;
    case ExitCode::kLint:
      return 3;
    case ExitCode::kInvalid:
      return 5;
    case ExitCode::kInterrupted:
      return 6;
    default:
      return 4;
  }
}

}  // namespace

ExitCode exit_code(ErrorKind kind) {
  constexpr std::array kCodes = {ExitCode::kUsage, ExitCode::kMalformed, ExitCode::kUnreadable,
                                 ExitCode::kInternal};
  return kCodes.at(static_cast<std::size_t>(kind));
}

ExitCode exit_code(Validity validity) {
  return validity == Validity::kValid     ? ExitCode::kOk
         : validity == Validity::kInvalid ? ExitCode::kInvalid
                                          : ExitCode::kUnknown;
}

ExitCode combine(ExitCode first, ExitCode second) {
  return rank(second) > rank(first) ? second : first;
}

}  // namespace elapid
