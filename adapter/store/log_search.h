// The logs of the nodes in a Jepsen run, searched for a pattern, as Jepsen's checker
// log-file-pattern does:
//
//   search_logs(run, "panic: (\\w+)", "db.log")    {.lines = {{"n1", "panic: invariant
//   violation"}}}
//
// A log is a file of this name in a folder of the run, which has the node's name.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/ir/result.h"

namespace elapid {

struct LogLine {
  std::string node = {};
  std::string line = {};  ///< without its end; of a long one the beginning
};

struct LogMatches {
  std::size_t logs = 0;             ///< files of this name
  std::size_t count = 0;            ///< lines that match
  std::vector<LogLine> lines = {};  ///< the first of them, by node and place

  static constexpr std::size_t kMostLines = 1000;
  static constexpr std::size_t kLongestLine = 4096;  ///< bytes kept of a line
};

/// `pattern` is a regular expression of RE2: Perl's without backreferences and looking around.
/// Error kUsage for a pattern that is not one, kUnreadable for a log that cannot be read. Linear in
/// bytes.
[[nodiscard]] Result<LogMatches> search_logs(const std::filesystem::path& run,
                                             const std::string& pattern, const std::string& file);

}  // namespace elapid
