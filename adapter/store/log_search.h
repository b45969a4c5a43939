// The logs of the nodes in a Jepsen run, searched for a pattern, as Jepsen's checker
// log-file-pattern does:
//
//   search_logs(run, "panic: (\\w+)", "db.log")
//     -> {.lines = {{"n1", "panic: invariant violation"}}}
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
  std::string line = {};  ///< without its end; only the beginning of a long one
};

struct LogMatches {
  std::size_t logs = 0;             ///< files of this name
  std::size_t count = 0;            ///< matching lines
  std::vector<LogLine> lines = {};  ///< the first matching lines, by node and place

  static constexpr std::size_t kMostLines = 1000;
  static constexpr std::size_t kLongestLine = 4096;  ///< bytes kept of a line
};

/// `pattern` is a regular expression of RE2: Perl's without backreferences and lookaround.
/// Error kUsage for an invalid pattern, kUnreadable for a log that cannot be read. Linear in
/// bytes.
[[nodiscard]] Result<LogMatches> search_logs(const std::filesystem::path& run,
                                             const std::string& pattern, const std::string& file);

}  // namespace elapid
