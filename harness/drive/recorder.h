// Records the events of the sessions of a run as they happen.
//
// Each session gives its events to an EventLog of its own. The log numbers them by a shared count
// and puts them into a queue. One thread takes them out in the order of their numbers and appends
// them to the files. A transaction's invocation is numbered before the transaction begins, and its
// completion after it has ended. So if one transaction ends before another begins, the file has
// this order. Times come from a monotonic clock. If two sessions read the clock in one order and
// are numbered in the other, the later event gets the time of the earlier one, which lies between
// the two moments.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "engine/ir/result.h"
#include "engine/ir/thread.h"
#include "harness/drive/event_queue.h"
#include "harness/drive/growing_file.h"
#include "parsers/convert/plain_event_writer.h"

namespace elapid {

/// A file to be written, and the format of its events.
struct RecordedFile {
  GrowingFile file;
  std::unique_ptr<PlainEventWriter> writer;
};

class Recorder;

/// The log of one session. One thread at a time may use it.
class EventLog {
 public:
  explicit EventLog(Recorder& recorder) : recorder_(recorder) {}

  /// Records an event at this moment, and sets its index and time.
  void tell(PlainEvent event);

 private:
  friend class Recorder;

  Recorder& recorder_;
  EventQueue queue_ = {};
  std::int64_t invoked_ = 0;  // time of the last invocation; used by the thread that writes
};

class Recorder {
 public:
  /// Starts to write at once. There are as many logs as sessions.
  Recorder(std::vector<RecordedFile> files, std::size_t sessions);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;
  ~Recorder();

  [[nodiscard]] EventLog& log(std::size_t session) { return *logs_[session]; }

  /// Whether a file could not be written: later events are lost.
  [[nodiscard]] bool has_failed() const { return has_failed_.load(std::memory_order_relaxed); }

  /// Writes all recorded events and ends. No session may record any more. Error: the first failure,
  /// kUnreadable, or kInternal if memory ran out; events written before it are complete.
  Status finish();

  /// The number of recorded events.
  [[nodiscard]] std::uint64_t events() const {
    return static_cast<std::uint64_t>(next_index_.load(std::memory_order_relaxed));
  }

  /// Nanoseconds since the record began.
  [[nodiscard]] std::int64_t now() const {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begun_).count();
  }

 private:
  friend class EventLog;
  using Clock = std::chrono::steady_clock;

  /// The oldest event of a log that has not been written.
  struct Front {
    std::int64_t index = 0;
    std::size_t session = 0;

    bool operator>(const Front& other) const { return index > other.index; }
  };

  void write_all();
  bool write_some();
  bool look_for_fronts();
  void write(PlainEvent& event, EventLog& log);
  void flush();
  void guard(const std::function<void()>& write);

  const Clock::time_point begun_ = Clock::now();
  std::vector<RecordedFile> files_;
  std::vector<std::unique_ptr<EventLog>> logs_ = {};
  alignas(64) std::atomic<std::int64_t> next_index_ = 0;
  alignas(64) std::atomic<bool> has_failed_ = false;
  // These belong to the thread that writes.
  std::vector<Front> fronts_ = {};        // a heap, least index first
  std::vector<std::size_t> silent_ = {};  // sessions without an event
  std::int64_t written_ = 0;              // number of written events
  std::int64_t time_ = 0;                 // time of the last written event
  Status thrown_ = {};                    // the error that writing threw
  std::mutex mutex_ = {};
  std::condition_variable ends_ = {};
  bool is_ending_ = false;
  Thread thread_ = {};
};

}  // namespace elapid
