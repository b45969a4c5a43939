// A private folder for files that are only needed for a while.
#pragma once

#include <string>
#include <utility>

#include "engine/ir/result.h"

namespace elapid {

/// A folder that the destructor removes with its contents.
class ScratchFolder {
 public:
  /// Makes one in TMPDIR, or in /tmp, with access for this user only. Error: kUnreadable.
  static Result<ScratchFolder> create();

  ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}

  ScratchFolder& operator=(ScratchFolder&& other) noexcept {
    std::swap(path_, other.path_);
    return *this;
  }

  ~ScratchFolder();

  [[nodiscard]] const std::string& path() const { return path_; }

  /// Makes a new empty folder in it. Returns its path. Error: kUnreadable.
  [[nodiscard]] Result<std::string> folder(const std::string& name) const;

 private:
  explicit ScratchFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
};

}  // namespace elapid
