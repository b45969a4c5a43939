// Wakes up when something happens in a folder (inotify).
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

/// Says that something has happened, not what: who watches looks at the folders again. So nothing
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

}  // namespace elapid
