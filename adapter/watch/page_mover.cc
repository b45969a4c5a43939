#include "adapter/watch/page_mover.h"

#include <utility>

namespace elapid {

PageMover::PageMover(PageStore& store) : store_(store), status_(store.status()) {
  thread_ = Thread([this](const std::stop_token& stop) { run(stop); });
}

void PageMover::save(PageOwner owner, Moment begin, std::string_view bytes) {
  finish();
  store_.save(owner, begin, bytes);
  note_status();
}

void PageMover::move(PageOwner owner, Moment begin, std::function<std::string()> encode) {
  const std::lock_guard lock(mutex_);
  moved_.push_back({owner, begin, std::move(encode)});
  if (!gathers_) {
    has_changed_.notify_all();
  }
}

void PageMover::gather() {
  const std::lock_guard lock(mutex_);
  gathers_ = true;
}

void PageMover::run_behind(std::function<Status()> task) {
  const std::lock_guard lock(mutex_);
  moved_.push_back({.task = std::move(task)});
  ++tasks_;
  gathers_ = false;
  has_changed_.notify_all();
}

bool PageMover::has_run() const {
  const std::lock_guard lock(mutex_);
  return tasks_ == 0;
}

std::optional<StoredPage> PageMover::last_up_to(PageOwner owner, Moment moment) {
  finish();
  auto page = store_.last_up_to(owner, moment);
  note_status();
  return page;
}

std::optional<StoredPage> PageMover::first_after(PageOwner owner, Moment moment) {
  finish();
  auto page = store_.first_after(owner, moment);
  note_status();
  return page;
}

Status PageMover::status() const {
  const std::lock_guard lock(mutex_);
  return status_;
}

void PageMover::finish() {
  std::unique_lock lock(mutex_);
  if (std::exchange(gathers_, false)) {
    has_changed_.notify_all();
  }
  has_changed_.wait(lock, [&] { return moved_.empty() && is_idle_; });
}

void PageMover::note_status() {
  Status status = store_.status();
  const std::lock_guard lock(mutex_);
  status_ = status_.ok() ? std::move(status) : status_;
}

/// Returns the first error, if there was one.
Status PageMover::carry_out(Moved& moved) {
  if (moved.task) {
    Status status = moved.task();
    return store_.status().ok() ? status : store_.status();
  }
  store_.save(moved.owner, moved.begin, moved.encode());
  moved.encode = {};  // frees the page too
  return store_.status();
}

void PageMover::run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (has_changed_.wait(lock, stop, [&] { return !moved_.empty() && !gathers_; })) {
    Moved moved = std::move(moved_.front());
    moved_.pop_front();
    is_idle_ = false;
    const bool has_failed = !status_.ok();
    lock.unlock();
    Status status = has_failed ? Status() : caught([&] { return carry_out(moved); });
    lock.lock();
    if (!has_failed) {
      status_ = std::move(status);
    }
    tasks_ -= moved.task ? 1U : 0U;
    is_idle_ = true;
    has_changed_.notify_all();
  }
}

}  // namespace elapid
