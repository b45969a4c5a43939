// The logs of a directory in which each client has a file of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/bytes/sources.h"

namespace elapid {

/// The names of a format's logs.
struct LogNames {
  std::string what;  ///< for messages: `logs of X (*.log)`
  bool (*is_log)(const std::string& name);
  std::optional<std::int64_t> (*number_of)(const std::string& name);
};

/// A log, which is a session.
struct SessionLog {
  std::string path;
  std::int64_t session = 0;
  bool is_numbered = true;  ///< false: its name has no number, or that of an earlier log
};

/// The logs of a directory by the numbers in their names, which are the names of the sessions. Logs
/// without a number of their own come last and get the next numbers. A number beyond 2^60 does not
/// count. A single file is one log. Error kUnreadable: the directory cannot be listed, or has no
/// log.
Result<std::vector<SessionLog>> find_session_logs(const Sources& sources, const LogNames& names);

}  // namespace elapid
