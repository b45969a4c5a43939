// The folder of a service's state, which outlives the service.
#pragma once

#include <string>
#include <utility>

#include "engine/ir/result.h"
#include "parsers/bytes/file_descriptor.h"

namespace elapid {

/// The folder belongs to this user alone. It is locked while this lives: services do not share it.
class StateFolder {
 public:
  /// Empty: `elapid` in the user's data folder ($XDG_DATA_HOME, else ~/.local/share). Temporary
  /// files of this program, and of those that it starts, also go below the folder. Errors: kUsage
  /// if there is no such folder, or another service has it; kUnreadable if it cannot be made.
  static Result<StateFolder> open(const std::string& path);

  /// One of the folders `shared-0`, `shared-1`, ... in the user's folder, for services whose state
  /// is elsewhere. Many of these may run on one machine.
  static Result<StateFolder> open_any();

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Whether the machine was started since a service last had this folder.
  [[nodiscard]] bool is_after_boot() const { return is_after_boot_; }

 private:
  StateFolder(std::string path, FileDescriptor lock, bool is_after_boot)
      : path_(std::move(path)), lock_(std::move(lock)), is_after_boot_(is_after_boot) {}

  std::string path_;
  FileDescriptor lock_;
  bool is_after_boot_;
};

}  // namespace elapid
