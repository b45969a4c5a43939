#include "adapter/http/runs/stored_runs.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "adapter/store/run.h"
#include "parsers/find.h"

namespace elapid::http {
namespace {

namespace fs = std::filesystem;

/// Updates size and time of the history, which may have changed since it was found.
bool look_at(StoredRun& run) {
  struct stat facts = {};
  if (::stat(run.history.c_str(), &facts) != 0) {
    return false;
  }
  run.bytes = static_cast<std::uint64_t>(facts.st_size);
  run.changed =
      static_cast<std::int64_t>(facts.st_mtim.tv_sec) * 1000 + facts.st_mtim.tv_nsec / 1'000'000;
  const std::optional<fs::path> jepsen = run_of(run.history);
  if (jepsen && !has_ended(*jepsen)) {
    run.state = StoredRun::State::kRunning;
  } else {
    run.state = S_ISREG(facts.st_mode) ? StoredRun::State::kEnded : StoredRun::State::kFolder;
  }
  return true;
}

/// The history's file in a run of Jepsen; of other runs the path itself.
std::string file_of(const std::string& history) {
  std::error_code ignored;
  if (!run_of(history) || !fs::is_directory(history, ignored)) {
    return history;
  }
  const std::string text = history + "/history.edn";
  return fs::exists(text, ignored) ? text : history + "/test.jepsen";
}

}  // namespace

std::string_view word_of(StoredRun::State state) {
  constexpr std::array<std::string_view, 3> kWords = {"ended", "running", "folder"};
  return kWords.at(static_cast<std::size_t>(state));
}

std::vector<StoredRun> StoredRuns::list() {
  constexpr std::chrono::seconds kLeast{5};
  constexpr int kRest = 20;
  const std::scoped_lock lock(mutex_);
  const Clock::time_point begun = Clock::now();
  if (folder_.empty() || (look_again_ && begun < *look_again_)) {
    return runs_;
  }
  runs_.clear();
  for (const std::string& path : find_histories(folder_).paths) {
    StoredRun run = {.path = fs::path(path).lexically_relative(folder_).string(),
                     .history = file_of(path)};
    if (path != folder_ && look_at(run)) {
      runs_.push_back(std::move(run));
    }
  }
  std::ranges::sort(runs_, [](const StoredRun& a, const StoredRun& b) {
    return a.changed != b.changed ? a.changed > b.changed : a.path < b.path;
  });
  look_again_ = Clock::now() + std::max<Clock::duration>(kLeast, kRest * (Clock::now() - begun));
  return runs_;
}

std::optional<StoredRun> StoredRuns::find(const std::string& path) {
  const std::vector<StoredRun> runs = list();
  const auto found = std::ranges::find(runs, path, &StoredRun::path);
  if (found == runs.end()) {
    return std::nullopt;
  }
  StoredRun run = *found;
  return look_at(run) ? std::optional(std::move(run)) : std::nullopt;
}

}  // namespace elapid::http
