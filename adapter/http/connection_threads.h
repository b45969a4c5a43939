// A thread for each open connection, up to a limit: a slow client holds only its own thread.
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace elapid::http {

class ConnectionThreads final : public httplib::TaskQueue {
 public:
  explicit ConnectionThreads(std::size_t most) : most_(most) {}

  /// Work waits while `most` threads are busy.
  void enqueue(std::function<void()> work) override;
  /// Waits for the end of all work.
  void shutdown() override;

 private:
  void serve();

  std::size_t most_;
  std::mutex mutex_;
  std::condition_variable news_;
  std::deque<std::function<void()>> work_ = {};
  std::vector<std::thread> threads_ = {};
  std::size_t idle_ = 0;
  bool is_ending_ = false;
};

}  // namespace elapid::http
