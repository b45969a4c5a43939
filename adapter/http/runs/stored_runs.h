// The runs below a folder: those of Jepsen's store, of `elapid run`, and histories of any format.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace elapid::http {

struct StoredRun {
  enum class State : std::uint8_t {
    kEnded,    ///< its history no longer changes
    kRunning,  ///< the test still runs
    kFolder,   ///< its history is a folder of files, which is no single file
  };

  std::string path = {};     ///< below the folder; for a run of Jepsen, its folder
  std::string history = {};  ///< the file to read
  State state = State::kEnded;
  std::uint64_t bytes = 0;
  std::int64_t changed = 0;  ///< milliseconds since 1970

  /// Differs between two states of the history.
  [[nodiscard]] std::string stamp() const {
    return std::to_string(bytes) + "@" + std::to_string(changed);
  }
};

[[nodiscard]] std::string_view word_of(StoredRun::State state);

/// Safe from several threads.
class StoredRuns {
 public:
  /// `folder` may be empty: then there are no runs.
  explicit StoredRuns(std::string folder) : folder_(std::move(folder)) {}

  /// The runs, newest first. A search takes time, so it is repeated only after 5 s, and after
  /// twenty times its duration. Linear in the files below the folder.
  [[nodiscard]] std::vector<StoredRun> list();

  /// The present state of a run that list() has returned.
  [[nodiscard]] std::optional<StoredRun> find(const std::string& path);

  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  using Clock = std::chrono::steady_clock;

  std::string folder_;
  std::mutex mutex_;
  std::vector<StoredRun> runs_ = {};
  std::optional<Clock::time_point> look_again_ = {};
};

}  // namespace elapid::http
