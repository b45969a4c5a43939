// One line on the terminal that says what takes so long, and the way Ctrl-C reaches long work.
#ifndef ELAPID_ADAPTER_CLI_PROGRESS_H_
#define ELAPID_ADAPTER_CLI_PROGRESS_H_

#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace elapid {

/// Shows nothing during the first second, nor where standard error is not a terminal. Safe to use
/// from several threads.
class Progress {
 public:
  /// `quiet` shows nothing at all.
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Says what `input` is at. False if the work should stop.
  bool stage(std::string_view input, std::string_view stage);
  /// The same while reading: `done` of `total` bytes, 0 if unknown.
  bool reading(std::string_view input, std::uint64_t done, std::uint64_t total);
  /// Takes the line away, before anything else is printed.
  void clear();

 private:
  [[nodiscard]] bool due();
  void show(const std::string& line);

  const bool visible_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point next_;
  bool shown_ = false;
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_PROGRESS_H_
