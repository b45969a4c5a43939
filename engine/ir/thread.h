// Threads whose errors are handed over. A thread of the standard library ends the process when
// something is thrown in it, as when memory runs out; every thread of Elapid is one of these.
//
//   Thread thread([&] { sum = work(); });
//   ...
//   thread.join();  // throws what work() has thrown
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

/// The exception that is being handled as an error of kind kInternal: "memory ran out", or the
/// exception's own words.
[[nodiscard]] Error current_error();

/// Calls `work`, which returns a Status or nothing, and returns as an error what it throws.
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

/// One thread, which is asked to stop and waited for when this goes.
class Thread {
 public:
  Thread() = default;

  /// Calls `work` in a thread of its own, with a std::stop_token if it takes one. `on_error` is
  /// called in that thread with the error of what `work` has thrown; without it join() throws that.
  /// Throws std::system_error if there can be no further thread.
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

  /// Waits for its end, if there is a thread.
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
