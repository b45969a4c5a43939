// Tells the runs of a store that have ended.
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

// Wakes up at changes in a folder (inotify).

/// Tells that a folder has changed, but not how: the watcher looks at the folders again. So no
/// change is missed, even if the system drops events.
class FolderWatch {
 public:
  /// Error kUnreadable.
  static Result<FolderWatch> open();

  /// Begins to watch a folder: files that enter it, are closed after writing, or become links there
  /// count. A folder that does not exist is ignored. Error kUnreadable, also if the system's limit
  /// of watched folders is reached.
  Status add(const std::string& folder);

  /// Ends the watching of a folder.
  void drop(const std::string& folder);

  /// Waits for a change since the last call, at most that long; whether there was one.
  bool wait(std::chrono::milliseconds longest);

 private:
  explicit FolderWatch(FileDescriptor events) : events_(std::move(events)) {}

  FileDescriptor events_;
  std::map<std::string, int> watched_ = {};  // the system's number of each folder
};

struct EndedRun {
  std::string path = {};
  HistoryStamp history = {};
};

class StoreWatch {
 public:
  /// Watches these folders, with the runs that appear in them. Error: kUnreadable for a path that
  /// is no folder.
  static Result<StoreWatch> open(std::vector<std::string> folders);

  /// The runs that have ended and are not settled, in the order of their paths. A folder that
  /// cannot be listed may be a run, and counts as one; once settled, it is told again only after it
  /// became readable. Linear in the runs. Error: kUnreadable for a folder that cannot be watched.
  Result<std::vector<EndedRun>> ended();

  /// The number of runs that had not ended at the last call of ended().
  [[nodiscard]] std::size_t running() const { return running_; }

  /// Settles a run: ended() does not return it again. False if its history has changed since
  /// ended() returned it; then ended() will return it again.
  bool settle(const EndedRun& run);

  /// Waits for a change that may concern ended(), at most that long; whether there was one. File
  /// systems of other machines report no changes.
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
