#include "adapter/watch/event_writer.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "parsers/bytes/stdout_error.h"

namespace elapid {

Status EventWriter::write_to_stdout(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count < 0 && errno != EINTR) {
      return stdout_error(errno);
    }
    text.remove_prefix(count < 0 ? 0 : static_cast<std::size_t>(count));
  }
  return {};
}

EventWriter::EventWriter(const AtomTable& atoms, OnlineEventStyle style, WatchState* state,
                         Sink sink)
    : atoms_(atoms), style_(style), state_(state), sink_(std::move(sink)) {
  spare_.reserve(kMostWaiting + 2);  // the greatest number of them
  thread_ = Thread([this](const std::stop_token& stop) { run(stop); });
}

Status EventWriter::tell(Telling& telling) {
  std::unique_lock lock(mutex_);
  if (telling.is_empty()) {
    return status_;
  }
  has_changed_.wait(lock, [&] { return waiting_.size() < kMostWaiting; });
  waiting_.push_back(std::move(telling));
  telling = {};
  if (!spare_.empty()) {
    telling = std::move(spare_.back());
    spare_.pop_back();
  }
  has_changed_.notify_all();
  return status_;
}

Status EventWriter::finish() {
  std::unique_lock lock(mutex_);
  has_changed_.wait(lock, [&] { return waiting_.empty() && !is_writing_; });
  return status_;
}

/// Writes until a stop is requested and everything is written.
void EventWriter::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (has_changed_.wait(lock, stop, [&] { return !waiting_.empty(); })) {
    Telling telling = std::move(waiting_.front());
    waiting_.pop_front();
    is_writing_ = true;
    const bool has_failed = !status_.ok();
    has_changed_.notify_all();
    lock.unlock();
    Status status = has_failed ? Status() : caught([&] { return write(telling); });
    if (const auto checkpoint = std::move(telling.checkpoint)) {
      status = begin_checkpoint(*checkpoint, has_failed ? status_ : status);
    }
    telling.journal.clear();
    telling.is_synced = false;
    telling.lines.clear();
    telling.events.clear();
    lock.lock();
    spare_.push_back(std::move(telling));
    if (!has_failed) {
      status_ = std::move(status);
    }
    is_writing_ = false;
    has_changed_.notify_all();
  }
}

/// Writes standard output first and the state's file of numbered events last. After a kill,
/// standard output may repeat events, but lacks none.
Status EventWriter::write(const Telling& telling) {
  if (state_ != nullptr) {
    Status status = state_->write_journal(telling.journal);
    status = status.ok() && telling.is_synced ? state_->sync() : status;
    ELAPID_RETURN_IF_ERROR(status);
  }
  text_ = telling.lines;
  bool has_numbered = false;
  telling.events.each(
      [&](const OnlineEvent& event) { has_numbered |= add(event, telling) && event.number > 0; });
  const Status status = sink_(text_);
  return status.ok() && has_numbered && telling.is_kept ? state_->write_events() : status;
}

/// Begins the checkpoint if there was no error, and tells the mover whether it begins.
Status EventWriter::begin_checkpoint(BegunCheckpoint& checkpoint, Status status) {
  std::optional<WatchState::Checkpoint> begun;
  if (status.ok()) {
    status = caught([&] {
      auto result = state_->begin_checkpoint();
      begun = result ? std::optional(result.value()) : std::nullopt;
      return result ? Status() : Status(result.error());
    });
  }
  checkpoint.set_value(begun);
  return status;
}

/// Whether the event is new; events that were written before are left out.
bool EventWriter::add(const OnlineEvent& event, const Telling& telling) {
  if (event.number == 0 && telling.is_resuming) {
    return false;
  }
  const std::size_t begin = text_.size();
  append_event(text_, event, atoms_, style_);
  const std::string_view line = std::string_view(text_).substr(begin);
  const bool is_new = event.number == 0 || !telling.is_kept || state_->tell_event(line);
  if (!is_new) {
    text_.resize(begin);
  }
  return is_new;
}

}  // namespace elapid
