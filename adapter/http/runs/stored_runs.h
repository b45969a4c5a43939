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
    kEnded,    ///< its history remains as it is
    kRunning,  ///< the test goes on
    kFolder,   ///< its history is a folder of files, which cannot be taken as one
  };

  std::string path = {};     ///< below the folder; of a run of Jepsen's, the run
  std::string history = {};  ///< the file to be read
  State state = State::kEnded;
  std::uint64_t bytes = 0;
  std::int64_t changed = 0;  ///< milliseconds since 1970

  /// Tells one state of the history from another.
  [[nodiscard]] std::string stamp() const {
    return std::to_string(bytes) + "@" + std::to_string(changed);
  }
};

[[nodiscard]] std::string_view word_of(StoredRun::State state);

/// Safe from several threads.
class StoredRuns {
 public:
  /// `folder` may be empty: then there are none.
  explicit StoredRuns(std::string folder) : folder_(std::move(folder)) {}

  /// Those that there are, newest first. To look takes its time, so that it is done again only
  /// after 5 s, and after twenty times as long as it took. Linear in the files below the folder.
  [[nodiscard]] std::vector<StoredRun> list();

  /// The run of this path, which list() has told of, as it is now.
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
