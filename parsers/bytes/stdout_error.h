// The error of standard output that cannot be written, as where the disk is full.
#pragma once

#include <system_error>

#include "engine/ir/result.h"

namespace elapid {

/// kInternal, unlike the error of a file, whatever was to be written. `reason` is the system's.
[[nodiscard]] inline Error stdout_error(int reason) {
  return {
      .kind = ErrorKind::kInternal,
      .message = "standard output cannot be written: " + std::generic_category().message(reason)};
}

}  // namespace elapid
