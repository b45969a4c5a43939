// The folder of a run, in Jepsen's layout: `store/NAME/20261123T064000.000Z`, with a link `latest`
// beside it and in the store.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "engine/ir/result.h"

namespace elapid {

/// The destructor removes the folder and its contents, unless keep() was called.
class RunFolder {
 public:
  using Time = std::chrono::system_clock::time_point;

  /// Makes the folder of a run that begins at `time`, or at a later millisecond if that folder
  /// exists. `name` becomes safe as part of a path. Error kUnreadable.
  static Result<RunFolder> create(const std::string& store, const std::string& name, Time time);

  RunFolder(RunFolder&& other) noexcept
      : store_(std::move(other.store_)),
        parent_(std::move(other.parent_)),
        time_(std::move(other.time_)),
        made_store_(other.made_store_),
        is_kept_(std::exchange(other.is_kept_, true)) {}

  RunFolder& operator=(RunFolder&&) = delete;
  ~RunFolder();

  [[nodiscard]] std::string path() const { return parent_ + '/' + time_; }

  /// `20261123T064000.000Z`
  [[nodiscard]] const std::string& time() const { return time_; }

  /// Keeps the folder, and makes it the latest. Links that cannot be made are left out.
  void keep();

 private:
  RunFolder(std::string store, std::string parent, std::string time)
      : store_(std::move(store)), parent_(std::move(parent)), time_(std::move(time)) {}

  std::string store_;
  std::string parent_;
  std::string time_;
  bool made_store_ = false;
  bool is_kept_ = false;
};

}  // namespace elapid
