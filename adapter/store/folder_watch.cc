#include "adapter/store/folder_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <span>
#include <utility>

#include "parsers/lines/patience.h"

namespace elapid {

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
