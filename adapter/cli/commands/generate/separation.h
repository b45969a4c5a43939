// `elapid generate --separate A B`: a smallest history between two levels.
#pragma once

#include <cstddef>
#include <string>

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/options/options.h"
#include "parsers/convert/target.h"

namespace elapid {

struct SeparationFlags {
  std::string allowing = {};  ///< empty: nothing is to be separated
  std::string forbidding = {};
  std::size_t max_transactions = 4;
  std::size_t max_operations = 6;
};

void add_separation_flags(Options& options, SeparationFlags& flags);

/// Searches, and writes what is found to `out` in the target's format. Exit 2 where there is no
/// such history up to the size, or the search was interrupted: then nothing is written.
Result<ExitCode> generate_separation(const SeparationFlags& flags, const Target& target,
                                     const std::string& out);

}  // namespace elapid
