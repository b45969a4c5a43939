#include "adapter/http/connection_threads.h"

#include <system_error>
#include <utility>

#include "engine/ir/thread.h"

namespace elapid::http {

void ConnectionThreads::enqueue(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex_);
    work_.push_back(std::move(work));
    if (idle_ < work_.size() && threads_.size() < most_) {
      try {
        threads_.emplace_back([this] { serve(); });
      } catch (const std::system_error&) {
        // The system has no further thread: an existing thread does the work later.
      }
    }
  }
  news_.notify_one();
}

void ConnectionThreads::shutdown() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  news_.notify_all();
  for (std::thread& thread : threads_) {
    thread.join();
  }
  threads_.clear();
}

void ConnectionThreads::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ++idle_;
    news_.wait(lock, [this] { return is_ending_ || !work_.empty(); });
    --idle_;
    if (work_.empty()) {
      return;
    }
    const std::function<void()> work = std::exchange(work_.front(), {});
    work_.pop_front();
    lock.unlock();
    (void)caught(work);  // an exception ends the connection, not the service
    lock.lock();
  }
}

}  // namespace elapid::http
