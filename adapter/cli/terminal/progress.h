// One line on the terminal with the progress of long work, which Ctrl-C can stop.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

namespace elapid {

/// The finished part of some work.
struct Portion {
  std::uint64_t done = 0;
  std::uint64_t total = 0;     ///< 0: unknown
  std::string_view unit = {};  ///< `MB`
};

/// `[=====>              ] 312 of 3,971 MB, 4 min left`: a bar, counts, and the time left at the
/// rate so far, once a hundredth is done or ten seconds have passed.
[[nodiscard]] std::string progress_bar(Portion portion, std::chrono::duration<double> elapsed);

/// The end of a printable path, if it is longer than `room` bytes: `...20261123T071502.120Z`. The
/// cut drops the part that paths have in common.
[[nodiscard]] std::string end_of_path(std::string_view path, std::size_t room);

/// Shows nothing during the first second, and nothing if standard error is not a terminal. Safe to
/// use from several threads.
class Progress {
 public:
  /// With `quiet` it shows nothing at all.
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Announces the number of calls of finish_input(): a bar then shows the inputs.
  void begin_inputs(std::size_t count);
  void finish_input();

  /// Shows the stage of `input`. False if the work should stop.
  bool stage(std::string_view input, std::string_view stage);
  /// Shows the progress of reading, in bytes. False if the work should stop.
  bool reading(std::string_view input, std::uint64_t done, std::uint64_t total);
  /// Clears the line, before other output.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] bool due();
  /// Shows the bar of inputs, if there are several, and as much of `input` as fits beside
  /// `words`.
  void show(std::string_view input, std::string_view words);

  const bool visible_;
  std::mutex mutex_;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_;
  Portion inputs_ = {};
  bool shown_ = false;
};

}  // namespace elapid
