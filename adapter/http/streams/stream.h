// One stream of the service: its folder, and the process that judges it while one is
// needed.
//
// A stream has no process if all its lines have been judged and none were added for a while: its
// state is on the disk, and the next lines start a process. One thread calls step() again and
// again, which starts and ends processes as needed. So step() alone handles the end of a process,
// whatever the cause (a limit of memory, a full disk, an operator).
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
  WatchCommand watch = {};                             ///< the program, which the caller knows
  std::string folder = {};                             ///< of all streams
  std::size_t most = 256;                              ///< streams that have not ended
  std::uint64_t most_bytes = std::uint64_t{4} << 30;   ///< of the lines of one stream
  std::uint64_t most_body = std::uint64_t{256} << 20;  ///< of the lines of one request
  std::optional<std::uint64_t> memory = {};            ///< of one process; absent: no limit
  std::chrono::milliseconds idle = std::chrono::minutes(2);  ///< see above
};

class Stream {
 public:
  using Clock = std::chrono::steady_clock;

  /// Borrows `settings`. `has_news`: there may be lines without a judgement.
  Stream(const StreamSettings& settings, std::string id, StreamFolder folder, bool has_news)
      : settings_(settings), id_(std::move(id)), folder_(std::move(folder)), is_awake_(has_news) {}

  [[nodiscard]] const std::string& id() const { return id_; }

  /// The clients' view, as JSON (docs/service.md).
  [[nodiscard]] std::string json();

  /// Adds lines, if the stream is open and has room.
  [[nodiscard]] std::optional<Problem> add(const StreamLines& lines);

  /// Takes no more lines: the lines so far are judged to their end.
  [[nodiscard]] std::optional<Problem> end();

  /// Events after `place`, as EventLog has them. Nothing if no more will come.
  [[nodiscard]] std::optional<std::string> events_behind(EventPlace& place);

  [[nodiscard]] EventLog events() const { return folder_.events(); }

  [[nodiscard]] std::string lines_path() const { return folder_.lines_path(); }

  [[nodiscard]] StreamRecord record();

  /// Starts, ends and reaps its process. Whether a change is expected soon.
  bool step(Clock::time_point now);

  /// When the server ends: asks the process to end, and starts no other. Whether one still
  /// runs.
  bool shut_down();

  /// When the stream is removed: kills the process, and starts no other.
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
  std::mutex mutex_;  // of all members below
  StreamFolder folder_;
  std::optional<WatchProcess> process_ = {};
  bool is_last_ = false;    // the process knows that it has all lines
  bool is_awake_;           // there may be lines to judge
  bool is_broken_ = false;  // the process has seen lines that were removed
  bool is_closed_ = false;
  Clock::time_point last_news_ = Clock::now();
  std::optional<Clock::time_point> asked_at_ = {};  // to end
  Clock::time_point next_try_ = {};
  Clock::time_point started_ = {};
  int failures_ = 0;          // soon after one another
  std::string stalled_ = {};  // why it is stalled; empty: it is not
};

}  // namespace elapid::http
