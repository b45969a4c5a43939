// The files of a directory of logs: one log a session.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/result.h"

namespace elapid::cobra {

struct LogFile {
  std::string path;
  std::uint64_t bytes = 0;  ///< compressed, if it is
  std::int64_t session = 0;
  bool is_numbered = true;                ///< false: no session in the name, or another log's
  std::optional<std::string> debug = {};  ///< the .debug beside it
};

/// The session of a file name such as `T12.log`.
std::optional<std::int64_t> session_of(const std::string& path);

/// The logs of a directory, `*.log`, by the numbers of their sessions. Logs without a number come
/// last and get the next numbers. Error kUnreadable: the directory cannot be listed, or has no log.
Result<std::vector<LogFile>> find_logs(const std::string& directory);

}  // namespace elapid::cobra
