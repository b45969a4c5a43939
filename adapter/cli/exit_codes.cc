#include "adapter/cli/exit_codes.h"

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
  switch (kind) {
    case ErrorKind::kUsage:
      return ExitCode::kUsage;
    case ErrorKind::kMalformed:
      return ExitCode::kMalformed;
    case ErrorKind::kUnreadable:
      return ExitCode::kUnreadable;
    case ErrorKind::kInternal:
      break;
  }
  return ExitCode::kInternal;
}

ExitCode exit_code(Validity validity) {
  switch (validity) {
    case Validity::kValid:
      return ExitCode::kOk;
    case Validity::kInvalid:
      return ExitCode::kInvalid;
    case Validity::kUnknown:
      break;
  }
  return ExitCode::kUnknown;
}

ExitCode combine(ExitCode first, ExitCode second) {
  return rank(second) > rank(first) ? second : first;
}

}  // namespace elapid
