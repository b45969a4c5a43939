#include "adapter/store/run.h"

#include <system_error>

namespace elapid {
namespace {

namespace fs = std::filesystem;

constexpr const char* kText = "history.edn";
constexpr const char* kBinary = "test.jepsen";

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool is_run(const fs::path& folder) {
  return is_file(folder / kText) || is_file(folder / kBinary);
}

/// Whether Jepsen's link `latest` of the test leads to this run.
bool is_latest(const fs::path& run) {
  std::error_code error;
  return fs::equivalent(run / ".." / "latest", run, error) && !error;
}

}  // namespace

std::optional<fs::path> run_of(const std::string& history) {
  const fs::path path(history);
  if (is_run(path)) {
    return path;
  }
  if (is_file(path) && (path.filename() == kText || path.filename() == kBinary)) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
  }
  return std::nullopt;
}

bool has_ended(const fs::path& run) {
  const bool has_results = is_file(run / "results.edn");
  return has_results ? is_run(run) : is_file(run / kText) && is_latest(run);
}

HistoryStamp stamp_of_run(const fs::path& run) {
  const fs::path file = run / (is_file(run / kText) ? kText : kBinary);
  std::error_code ignored;
  return {.bytes = fs::file_size(file, ignored), .changed = fs::last_write_time(file, ignored)};
}

}  // namespace elapid
