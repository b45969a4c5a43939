// A session of a scenario, with a thread of its own that may wait.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/ir/thread.h"
#include "harness/drive/step_driver.h"

namespace elapid {

/// Announces that a request returned or a session began to wait.
/// Thread-safe.
class News {
 public:
  void tell();
  [[nodiscard]] std::uint64_t count();
  /// Returns when there are more than `seen` announcements, or after this time.
  void wait_for_more_than(std::uint64_t seen, std::chrono::milliseconds most);

 private:
  std::mutex mutex_ = {};
  std::condition_variable changed_ = {};
  std::uint64_t count_ = 0;
};

class Player {
 public:
  /// Announces returned requests to `news`, which it borrows.
  Player(std::unique_ptr<StepSession> session, News& news)
      : session_(std::move(session)), news_(news), thread_([this] { work(); }) {}

  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  ~Player();

  /// Starts these requests, one after another until one fails; then the transaction is undone.
  void begin(std::vector<StepRequest> requests);
  /// Whether requests are running.
  [[nodiscard]] bool is_busy();
  /// Whether take_answers() would return answers.
  [[nodiscard]] bool has_answers();
  /// The answers of the requests, once, after the last one returned.
  std::optional<std::vector<StepReply>> take_answers();

 private:
  void work();
  std::vector<StepReply> carry_out(const std::vector<StepRequest>& requests);

  std::unique_ptr<StepSession> session_;
  News& news_;
  std::mutex mutex_ = {};
  std::condition_variable changed_ = {};
  std::vector<StepRequest> requests_ = {};
  std::optional<std::vector<StepReply>> answers_ = {};
  bool is_busy_ = false;
  bool ends_ = false;
  Thread thread_;  // last, because it uses the others
};

}  // namespace elapid
