#include "adapter/store/store_watch.h"
#include "parsers/lines/patience.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <optional>
#include <span>
#include <system_error>

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

namespace elapid {
namespace {

namespace fs = std::filesystem;

Error unreadable(const fs::path& folder, const std::string& message) {
  return {.kind = ErrorKind::kUnreadable, .message = message, .file = folder.string()};
}

/// The folders in a folder, without links such as `latest` and hidden ones. Nothing if the folder
/// cannot be listed.
std::optional<std::vector<fs::path>> folders_in(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (; !error && it != fs::directory_iterator(); it.increment(error)) {
    std::error_code gone;
    if (it->is_directory(gone) && !it->is_symlink(gone) &&
        !it->path().filename().string().starts_with('.')) {
      folders.push_back(it->path());
    }
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return std::nullopt;
  }
  return folders;
}

}  // namespace

Result<StoreWatch> StoreWatch::open(std::vector<std::string> folders) {
  for (const std::string& folder : folders) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) {
      return unreadable(folder, "is no folder, as is needed to watch for runs");
    }
  }
  ELAPID_ASSIGN_OR_RETURN(FolderWatch watch, FolderWatch::open());
  return StoreWatch(std::move(folders), std::move(watch));
}

Result<std::vector<EndedRun>> StoreWatch::ended() {
  std::vector<EndedRun> ended;
  running_ = 0;
  for (const std::string& folder : folders_) {
    ELAPID_RETURN_IF_ERROR(look_into(folder, ended));
  }
  std::ranges::sort(ended, {}, &EndedRun::path);
  const auto twice = std::ranges::unique(ended, {}, &EndedRun::path);
  ended.erase(twice.begin(), twice.end());
  return ended;
}

/// A folder is watched before it is listed, so that no new entry is missed.
Status StoreWatch::look_into(const std::string& folder, std::vector<EndedRun>& ended) {
  std::vector<fs::path> pending = {folder};
  while (!pending.empty()) {
    const fs::path next = std::move(pending.back());
    pending.pop_back();
    if (run_of(next.string())) {
      ELAPID_RETURN_IF_ERROR(look_at_run(next, ended));
      continue;
    }
    Status watched = watch_.add(next.string());
    std::optional<std::vector<fs::path>> folders = folders_in(next);
    if (!folders) {
      if (!is_settled(next)) {
        ended.push_back({.path = next.string(), .history = stamp_of_run(next)});
      }
      continue;
    }
    if (!watched.ok()) {
      return watched;
    }
    settled_.erase(next.string());  // an earlier attempt may have failed
    std::ranges::move(*folders, std::back_inserter(pending));
  }
  return {};
}

Status StoreWatch::look_at_run(const fs::path& run, std::vector<EndedRun>& ended) {
  if (is_settled(run)) {
    return {};
  }
  // The link `latest`, which shows that a run has ended, is beside the run.
  for (const std::string& folder : {run.string(), (run / "..").string()}) {
    ELAPID_RETURN_IF_ERROR(watch_.add(folder));
  }
  if (has_ended(run)) {
    ended.push_back({.path = run.string(), .history = stamp_of_run(run)});
  } else {
    ++running_;
  }
  return {};
}

bool StoreWatch::is_settled(const fs::path& run) const {
  const auto settled = settled_.find(run.string());
  return settled != settled_.end() && settled->second == stamp_of_run(run);
}

bool StoreWatch::settle(const EndedRun& run) {
  if (stamp_of_run(run.path) != run.history) {
    return false;
  }
  settled_[run.path] = run.history;
  watch_.drop(run.path);
  return true;
}

Result<FolderWatch> FolderWatch::open() {
  FileDescriptor events(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!events.is_open()) {
    return system_error("inotify", "cannot be opened");
  }
  return FolderWatch(std::move(events));
}

Status FolderWatch::add(const std::string& folder) {
  const int watched = ::inotify_add_watch(events_.get(), folder.c_str(),
                                          IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_ONLYDIR);
  if (watched >= 0) {
    watched_[folder] = watched;
    return {};
  }
  if (errno == ENOENT || errno == ENOTDIR) {
    return {};
  }
  return system_error(folder, errno == ENOSPC ? "cannot be watched (fs.inotify.max_user_watches)"
                                              : "cannot be watched");
}

void FolderWatch::drop(const std::string& folder) {
  if (const auto found = watched_.find(folder); found != watched_.end()) {
    ::inotify_rm_watch(events_.get(), found->second);
    watched_.erase(found);
  }
}

bool FolderWatch::wait(std::chrono::milliseconds longest) {
  pollfd news = {.fd = events_.get(), .events = POLLIN, .revents = 0};
  if (Patience(longest).wait(std::span(&news, 1)) != Wait::kReady) {
    return false;
  }
  constexpr std::size_t kManyEvents = 65536;
  std::array<char, kManyEvents> events{};
  while (::read(events_.get(), events.data(), events.size()) > 0) {
  }
  return true;
}

}  // namespace elapid
