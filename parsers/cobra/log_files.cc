#include "parsers/cobra/log_files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "engine/ir/integer_text.h"

namespace elapid::cobra {

namespace {

namespace fs = std::filesystem;

Error unreadable(const std::string& directory, std::string message) {
  return {.kind = ErrorKind::kUnreadable, .message = std::move(message), .file = directory};
}

/// Sorts by number, then by name. Files without a number come last.
void sort_logs(std::vector<LogFile>& logs) {
  const auto rank = [](const LogFile& log) {
    return std::tuple(!log.is_numbered, log.session, std::string_view(log.path));
  };
  std::sort(logs.begin(), logs.end(),
            [rank](const LogFile& a, const LogFile& b) { return rank(a) < rank(b); });
}

/// Numbers the logs that have no number of their own.
void number_sessions(std::vector<LogFile>& logs) {
  for (std::size_t i = 1; i < logs.size(); ++i) {
    if (logs[i].is_numbered && logs[i].session == logs[i - 1].session) {
      logs[i].is_numbered = false;
    }
  }
  sort_logs(logs);
  std::int64_t next = 0;
  for (LogFile& log : logs) {
    log.session = log.is_numbered ? log.session : next;
    next = log.session + 1;
  }
}

LogFile log_file(const fs::path& path) {
  const std::optional<std::int64_t> session = session_of(path.string());
  LogFile log{
      .path = path.string(), .session = session.value_or(0), .is_numbered = session.has_value()};
  fs::path debug = path;
  debug.replace_extension(".debug");
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  log.bytes = error ? 0 : bytes;
  if (fs::is_regular_file(debug, error)) {
    log.debug = debug.string();
  }
  return log;
}

}  // namespace

std::optional<std::int64_t> session_of(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  constexpr std::string_view kExtension = ".log";
  if (!name.starts_with('T') || !name.ends_with(kExtension)) {
    return std::nullopt;
  }
  constexpr std::int64_t kLargest = std::int64_t{1} << 62;  // larger numbers stay free
  const auto number = integer_of(name.substr(1, name.size() - 1 - kExtension.size()));
  return number && *number <= kLargest ? number : std::nullopt;
}

Result<std::vector<LogFile>> find_logs(const std::string& directory) {
  std::vector<LogFile> logs;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    std::error_code no_file;
    if (entry->path().extension() == ".log" && entry->is_regular_file(no_file)) {
      logs.push_back(log_file(entry->path()));
    }
  }
  if (error) {
    return unreadable(directory, "cannot be listed: " + error.message());
  }
  if (logs.empty()) {
    return unreadable(directory, "is a directory without logs of Cobra (*.log)");
  }
  sort_logs(logs);
  number_sessions(logs);
  return logs;
}

}  // namespace elapid::cobra
