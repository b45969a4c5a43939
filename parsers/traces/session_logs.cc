#include "parsers/traces/session_logs.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

namespace elapid {

namespace {

namespace fs = std::filesystem;

SessionLog session_log(const fs::path& path, const LogNames& names) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 60;  // larger numbers stay free
  const std::optional<std::int64_t> number = names.number_of(path.filename().string());
  const bool is_numbered = number && *number >= -kLargest && *number <= kLargest;
  return {.path = path.string(), .session = is_numbered ? *number : 0, .is_numbered = is_numbered};
}

/// Sorts by number, then by name. Logs without a number come last.
void sort_logs(std::vector<SessionLog>& logs) {
  const auto rank = [](const SessionLog& log) {
    return std::tuple(!log.is_numbered, log.is_numbered ? log.session : 0,
                      std::string_view(log.path));
  };
  std::ranges::sort(logs,
                    [rank](const SessionLog& a, const SessionLog& b) { return rank(a) < rank(b); });
}

/// Numbers the logs that have no number of their own. Requires sorted logs.
void number_sessions(std::vector<SessionLog>& logs) {
  for (std::size_t i = 1; i < logs.size(); ++i) {
    logs[i].is_numbered = logs[i].is_numbered && logs[i].session != logs[i - 1].session;
  }
  sort_logs(logs);
  std::int64_t next = 0;
  for (SessionLog& log : logs) {
    log.session = log.is_numbered ? log.session : next;
    next = log.session + 1;
  }
}

}  // namespace

Result<std::vector<SessionLog>> find_session_logs(const Sources& sources, const LogNames& names) {
  if (!sources.is_directory()) {
    return std::vector<SessionLog>{
        {.path = sources.path(), .session = session_log(sources.path(), names).session}};
  }
  std::vector<SessionLog> logs;
  std::error_code failure;
  fs::directory_iterator entry(sources.path(), failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    std::error_code no_file;
    if (names.is_log(entry->path().filename().string()) && entry->is_regular_file(no_file)) {
      logs.push_back(session_log(entry->path(), names));
    }
  }
  if (failure || logs.empty()) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = failure ? "cannot be listed: " + failure.message()
                                    : "is a directory without " + names.what,
                 .file = sources.path()};
  }
  sort_logs(logs);
  number_sessions(logs);
  return logs;
}

}  // namespace elapid
