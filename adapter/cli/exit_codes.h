// The exit codes of all subcommands.
#pragma once

#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

enum class ExitCode : int {
  kOk = 0,            ///< all valid, or done
  kInvalid = 1,       ///< at least one history is invalid
  kUnknown = 2,       ///< none invalid, at least one unknown
  kLint = 3,          ///< findings, where --fail-on lint makes them an error
  kVacuous = 4,       ///< too little contention, where --fail-on vacuous makes that an error
  kUsage = 64,        ///< the request makes no sense
  kMalformed = 65,    ///< an input is not what its format promises
  kUnreadable = 66,   ///< an input cannot be opened or read
  kInternal = 70,     ///< a bug, or the machine gave up
  kInterrupted = 130  ///< Ctrl-C
};

[[nodiscard]] ExitCode exit_code(ErrorKind kind);
[[nodiscard]] ExitCode exit_code(Validity validity);

/// The exit code of two inputs: the first one present of invalid, an error (the first input's),
/// lint, vacuous, unknown, valid. A violation is never masked.
[[nodiscard]] ExitCode combine(ExitCode first, ExitCode second);

}  // namespace elapid
