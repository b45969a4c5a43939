// A session of a scenario, with a thread of its own in which it may wait.
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

/// Something has happened: a request has returned, or a session has begun to wait. Safe from any
/// thread.
class News {
 public:
  void tell();
  [[nodiscard]] std::uint64_t count();
  /// Returns when more has been told, or after this time.
  void wait_for_more_than(std::uint64_t seen, std::chrono::milliseconds most);

 private:
  std::mutex mutex_ = {};
  std::condition_variable changed_ = {};
  std::uint64_t count_ = 0;
};

class Player {
 public:
  /// Tells `news`, which it borrows, when requests have returned.
  Player(std::unique_ptr<StepSession> session, News& news)
      : session_(std::move(session)), news_(news), thread_([this] { work(); }) {}

  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;
  ~Player();

  /// Begins to carry these out, one after another until one fails; then what was done is undone.
  void begin(std::vector<StepRequest> requests);
  /// Whether something is being carried out.
  [[nodiscard]] bool is_busy();
  /// Whether take_answers() has something.
  [[nodiscard]] bool has_answers();
  /// The answers of those that were carried out, once, when the last one has returned.
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
  Thread thread_;  // last: it uses the others
};

}  // namespace elapid
