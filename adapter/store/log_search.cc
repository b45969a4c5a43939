#include "adapter/store/log_search.h"

#include <re2/re2.h>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// The folders of the run that contain this file, sorted by name.
std::vector<fs::path> nodes_with(const fs::path& run, const std::string& file) {
  std::vector<fs::path> nodes;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(run, ignored)) {
    if (entry.is_directory(ignored) && fs::is_regular_file(entry.path() / file, ignored)) {
      nodes.push_back(entry.path());
    }
  }
  std::ranges::sort(nodes);
  return nodes;
}

Status search_log(const fs::path& node, const std::string& file, const RE2& pattern,
                  LogMatches& found) {
  std::ifstream log(node / file, std::ios::binary);
  std::string line;
  while (std::getline(log, line)) {
    if (!RE2::PartialMatch(line, pattern)) {
      continue;
    }
    ++found.count;
    if (found.lines.size() < LogMatches::kMostLines) {
      line.resize(std::min(line.size(), LogMatches::kLongestLine));
      found.lines.push_back({node.filename().string(), line});
    }
  }
  return log.eof() ? Status()
                   : Status(Error{.kind = ErrorKind::kUnreadable,
                                  .message = "cannot be read",
                                  .file = (node / file).string()});
}

}  // namespace

Result<LogMatches> search_logs(const fs::path& run, const std::string& pattern,
                               const std::string& file) {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(RE2::Options::EncodingLatin1);  // logs may hold any bytes
  const RE2 expression(pattern, options);
  if (!expression.ok()) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = "expected a regular expression, found '" + pattern + "': " + expression.error()};
  }
  LogMatches found;
  for (const fs::path& node : nodes_with(run, file)) {
    ELAPID_RETURN_IF_ERROR(search_log(node, file, expression, found));
    ++found.logs;
  }
  return found;
}

}  // namespace elapid
