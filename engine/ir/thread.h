// Threads that hand over their errors. A thread of the standard library ends the process when its
// function throws, as when memory runs out. So every thread of Elapid is one of these.
//
//   Thread thread([&] { sum = work(); });
//   ...
//   thread.join();  // throws the exception of work()
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#include "engine/ir/result.h"

namespace elapid {

/// The current exception as an error of kind kInternal, with the message "memory ran out" or the
/// exception's own.
[[nodiscard]] Error current_error();

/// Calls `work`, which returns a Status or nothing. Turns an exception into an error.
template <class Work>
[[nodiscard]] Status caught(Work&& work) {
  try {
    if constexpr (std::is_void_v<std::invoke_result_t<Work>>) {
      std::forward<Work>(work)();
      return {};
    } else {
      return std::forward<Work>(work)();
    }
  } catch (...) {
    return current_error();
  }
}

/// A thread. The destructor asks it to stop, and waits for its end.
class Thread {
 public:
  Thread() = default;

  /// Calls `work` in a new thread, with a std::stop_token if `work` takes one. If `work` throws,
  /// the new thread calls `on_error`; without `on_error`, join() throws the exception. Throws
  /// std::system_error if the system starts no further thread.
  template <class Work>
  explicit Thread(Work work, std::function<void(Error)> on_error = {})
      : thrown_(std::make_shared<std::exception_ptr>()),
        thread_([work = std::move(work), on_error = std::move(on_error),
                 thrown = thrown_](const std::stop_token& stop) mutable {
          try {
            if constexpr (std::is_invocable_v<Work&, const std::stop_token&>) {
              work(stop);
            } else {
              work();
            }
          } catch (...) {
            on_error ? on_error(current_error()) : void(*thrown = std::current_exception());
          }
        }) {}

  [[nodiscard]] bool joinable() const { return thread_.joinable(); }

  /// Waits for the thread's end, if there is a thread.
  void join() {
    if (thread_.joinable()) {
      thread_.join();
    }
    if (thrown_ && *thrown_) {
      std::rethrow_exception(std::exchange(*thrown_, nullptr));
    }
  }

 private:
  std::shared_ptr<std::exception_ptr> thrown_ = {};
  std::jthread thread_ = {};
};

}  // namespace elapid
