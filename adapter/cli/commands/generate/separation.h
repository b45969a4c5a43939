// `elapid generate --separate A B`: a smallest history between two levels.
#pragma once

#include <cstddef>
#include <string>

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/options/options.h"
#include "parsers/convert/target.h"

namespace elapid {

struct SeparationFlags {
  std::string allowing = {};  ///< empty: no separation is asked for
  std::string forbidding = {};
  std::size_t max_transactions = 4;
  std::size_t max_operations = 6;
};

void add_separation_flags(Options& options, SeparationFlags& flags);

/// Searches, and writes the history to `out` in the target's format. If there is no such history up
/// to the size, or the search is interrupted: exit 2, and nothing is written.
Result<ExitCode> generate_separation(const SeparationFlags& flags, const Target& target,
                                     const std::string& out);

}  // namespace elapid
