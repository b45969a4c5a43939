// One stream of the service: its folder, and the process that judges it while there is need for
// one.
//
// A stream whose lines have all been judged, and to which none were added for a while, has no
// process: its state is on the disk, and the next lines wake it. step() brings about what must be,
// and is called by one thread again and again. So whatever ends a process (a limit of memory, a
// full disk, an operator) is met in one place.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "adapter/http/problem.h"
#include "adapter/http/streams/stream_folder.h"
#include "adapter/http/streams/stream_lines.h"
#include "adapter/http/streams/watch_process.h"

namespace elapid::http {

struct StreamSettings {
  WatchCommand watch = {};                             ///< the program, which its caller knows
  std::string folder = {};                             ///< of all streams
  std::size_t most = 256;                              ///< that have not ended
  std::uint64_t most_bytes = std::uint64_t{4} << 30;   ///< of the lines of one
  std::uint64_t most_body = std::uint64_t{256} << 20;  ///< of the lines of one request
  std::optional<std::uint64_t> memory = {};            ///< of the process of one; absent: no limit
  std::chrono::milliseconds idle = std::chrono::minutes(2);  ///< see above
};

class Stream {
 public:
  using Clock = std::chrono::steady_clock;

  /// Borrows `settings`. `has_news`: lines may be there that were not judged.
  Stream(const StreamSettings& settings, std::string id, StreamFolder folder, bool has_news)
      : settings_(settings), id_(std::move(id)), folder_(std::move(folder)), is_awake_(has_news) {}

  [[nodiscard]] const std::string& id() const { return id_; }

  /// What clients see, as JSON (docs/service.md).
  [[nodiscard]] std::string json();

  /// Adds lines, if it is open and there is room.
  [[nodiscard]] std::optional<Problem> add(const StreamLines& lines);

  /// Takes no more lines: what came is judged to its end.
  [[nodiscard]] std::optional<Problem> end();

  /// Events behind `place` as EventLog has them. Nothing if there will be none any more.
  [[nodiscard]] std::optional<std::string> events_behind(EventPlace& place);

  [[nodiscard]] EventLog events() const { return folder_.events(); }

  [[nodiscard]] std::string lines_path() const { return folder_.lines_path(); }

  [[nodiscard]] StreamRecord record();

  /// Starts, ends and buries its process. Whether something is under way that is worth a look soon.
  bool step(Clock::time_point now);

  /// For the server ends: asks the process to end, and keeps it from coming back. Whether there is
  /// one still.
  bool shut_down();

  /// For the stream is removed: kills the process, and keeps it from coming back.
  void close();

 private:
  void start(Clock::time_point now);
  void bury(const ProcessEnd& end, Clock::time_point now);
  void change(StreamStage stage, std::string reason, Clock::time_point now);
  void stall(std::string reason, Clock::time_point now);
  [[nodiscard]] bool must_stop(Clock::time_point now) const;
  [[nodiscard]] bool is_over() const;

  const StreamSettings& settings_;
  const std::string id_;
  std::mutex mutex_;  // of all that follows
  StreamFolder folder_;
  std::optional<WatchProcess> process_ = {};
  bool is_last_ = false;    // the process is told that all lines are there
  bool is_awake_;           // there may be something to be judged
  bool is_broken_ = false;  // the process has seen lines that were taken back
  bool is_closed_ = false;
  Clock::time_point last_news_ = Clock::now();
  std::optional<Clock::time_point> asked_at_ = {};  // to end
  Clock::time_point next_try_ = {};
  Clock::time_point started_ = {};
  int failures_ = 0;          // one soon after another
  std::string stalled_ = {};  // why; empty: it is not
};

}  // namespace elapid::http
