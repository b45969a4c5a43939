#include "harness/drive/recorder.h"

#include <algorithm>
#include <utility>

namespace elapid {

namespace {

/// The longest delay until an event is written. Waking up for each event would take longer than
/// writing it.
constexpr std::chrono::milliseconds kLatency{1};

}  // namespace

void EventLog::tell(PlainEvent event) {
  event.time = recorder_.now();
  event.index = recorder_.next_index_.fetch_add(1);
  queue_.push(event);
}

Recorder::Recorder(std::vector<RecordedFile> files, std::size_t sessions)
    : files_(std::move(files)) {
  for (std::size_t session = 0; session < sessions; ++session) {
    logs_.push_back(std::make_unique<EventLog>(*this));
    silent_.push_back(session);
  }
  for (RecordedFile& file : files_) {
    file.file.append(file.writer->begin());
  }
  fronts_.reserve(sessions);
  thread_ = Thread([this] { write_all(); });
}

Recorder::~Recorder() {
  static_cast<void>(finish());
}

Status Recorder::finish() {
  {
    const std::unique_lock lock(mutex_);
    is_ending_ = true;
  }
  ends_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
    guard([this] {
      for (RecordedFile& file : files_) {
        file.file.append(file.writer->end());
        file.file.flush();
      }
    });
  }
  for (const RecordedFile& file : files_) {
    if (!file.file.status().ok()) {
      return file.file.status();
    }
  }
  return thrown_;
}

/// Writes, unless an earlier write threw. Events are still taken, since sessions wait for room in
/// the queue.
void Recorder::guard(const std::function<void()>& write) {
  if (thrown_.ok()) {
    thrown_ = caught(write);
  }
  if (!thrown_.ok()) {
    has_failed_.store(true, std::memory_order_relaxed);
  }
}

void Recorder::write_all() {
  bool is_ending = false;
  while (true) {
    const bool wrote = write_some();
    flush();
    if (!wrote && is_ending) {
      return;
    }
    std::unique_lock lock(mutex_);
    ends_.wait_for(lock, kLatency, [this] { return is_ending_; });
    is_ending = is_ending_;
  }
}

/// Writes while the next event is available; false if it wrote nothing.
bool Recorder::write_some() {
  bool wrote = false;
  while (look_for_fronts()) {
    std::pop_heap(fronts_.begin(), fronts_.end(), std::greater<>());
    const std::size_t session = fronts_.back().session;
    fronts_.pop_back();
    EventLog& log = *logs_[session];
    write(*log.queue_.front(), log);
    log.queue_.pop();
    wrote = true;
    if (const PlainEvent* const event = log.queue_.front()) {
      fronts_.push_back({event->index, session});
      std::push_heap(fronts_.begin(), fronts_.end(), std::greater<>());
    } else {
      silent_.push_back(session);
    }
  }
  return wrote;
}

/// Whether the heap's first event is the next one; looks into the queues that were empty if not.
bool Recorder::look_for_fronts() {
  const auto is_there = [this] { return !fronts_.empty() && fronts_.front().index == written_; };
  if (is_there()) {
    return true;
  }
  std::erase_if(silent_, [this](std::size_t session) {
    const PlainEvent* const event = logs_[session]->queue_.front();
    if (event == nullptr) {
      return false;
    }
    fronts_.push_back({event->index, session});
    std::push_heap(fronts_.begin(), fronts_.end(), std::greater<>());
    return true;
  });
  return is_there();
}

void Recorder::write(PlainEvent& event, EventLog& log) {
  time_ = std::max(time_, event.time);
  event.time = time_;
  if (event.type == EventType::kInvoke) {
    log.invoked_ = time_;
  }
  event.invoked = log.invoked_;
  guard([&] {
    for (RecordedFile& file : files_) {
      file.file.append(file.writer->write(event));
    }
  });
  ++written_;
}

void Recorder::flush() {
  for (RecordedFile& file : files_) {
    guard([&] { file.file.flush(); });
    if (!file.file.status().ok()) {
      has_failed_.store(true, std::memory_order_relaxed);
    }
  }
}

}  // namespace elapid
