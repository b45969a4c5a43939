// The runs of a store as they end.
//
//   StoreWatch store = StoreWatch::open({"store"}).value();
//   for (;;) {
//     const std::vector<EndedRun> ended = store.ended().value();
//     for (const EndedRun& run : ended) {
//       judge(run.path);
//       store.settle(run);
//     }
//     store.wait(std::chrono::seconds(1));
//   }
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "adapter/store/run.h"
#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

// Wakes up when something happens in a folder (inotify).

/// Says that something has happened, not what: the watcher looks at the folders again. So nothing
/// is missed, even when the system drops events.
class FolderWatch {
 public:
  /// Error kUnreadable.
  static Result<FolderWatch> open();

  /// From now on files that come into the folder, are written to the end, or become links there
  /// count. A folder that there is not is passed over. Error kUnreadable, as when the system
  /// watches as many folders as it can.
  Status add(const std::string& folder);

  /// From now on they do not.
  void drop(const std::string& folder);

  /// Waits until something has happened since the last call, or that long; whether something has.
  bool wait(std::chrono::milliseconds longest);

 private:
  explicit FolderWatch(FileDescriptor events) : events_(std::move(events)) {}

  FileDescriptor events_;
  std::map<std::string, int> watched_ = {};  // what the system calls each folder
};

struct EndedRun {
  std::string path = {};
  HistoryStamp history = {};
};

class StoreWatch {
 public:
  /// Watches these folders, with the runs that will be in them. Error: kUnreadable for what is no
  /// folder.
  static Result<StoreWatch> open(std::vector<std::string> folders);

  /// The runs that have ended and are not settled, in the order of their paths. A folder that
  /// cannot be listed may be a run, and is told of as one; once settled, again only after it could
  /// be. Linear in the runs that there are. Error: kUnreadable for a folder that cannot be watched.
  Result<std::vector<EndedRun>> ended();

  /// How many runs had not ended when ended() was last asked.
  [[nodiscard]] std::size_t running() const { return running_; }

  /// Ends the interest in a run: ended() does not tell of it again. False if its history has
  /// changed since ended() told of it, and then it will.
  bool settle(const EndedRun& run);

  /// Waits until something has happened that ended() may tell of, or that long; whether something
  /// has. File systems of other machines tell of nothing.
  bool wait(std::chrono::milliseconds longest) { return watch_.wait(longest); }

 private:
  StoreWatch(std::vector<std::string> folders, FolderWatch watch)
      : folders_(std::move(folders)), watch_(std::move(watch)) {}

  Status look_into(const std::string& folder, std::vector<EndedRun>& ended);
  Status look_at_run(const std::filesystem::path& run, std::vector<EndedRun>& ended);
  [[nodiscard]] bool is_settled(const std::filesystem::path& run) const;

  std::vector<std::string> folders_;
  FolderWatch watch_;
  std::size_t running_ = 0;
  std::map<std::string, HistoryStamp> settled_ = {};
};

}  // namespace elapid
