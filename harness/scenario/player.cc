#include "harness/scenario/player.h"

#include <utility>

#include "harness/drive/driver.h"

namespace elapid {

void News::tell() {
  const std::lock_guard lock(mutex_);
  ++count_;
  changed_.notify_all();
}

std::uint64_t News::count() {
  const std::lock_guard lock(mutex_);
  return count_;
}

void News::wait_for_more_than(std::uint64_t seen, std::chrono::milliseconds most) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, most, [&] { return count_ != seen; });
}

Player::~Player() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

void Player::begin(std::vector<StepRequest> requests) {
  const std::lock_guard lock(mutex_);
  requests_ = std::move(requests);
  is_busy_ = true;
  changed_.notify_all();
}

bool Player::is_busy() {
  const std::lock_guard lock(mutex_);
  return is_busy_;
}

bool Player::has_answers() {
  const std::lock_guard lock(mutex_);
  return !is_busy_ && answers_.has_value();
}

std::optional<std::vector<StepReply>> Player::take_answers() {
  const std::lock_guard lock(mutex_);
  return is_busy_ ? std::nullopt : std::exchange(answers_, std::nullopt);
}

void Player::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ends_ || is_busy_; });
    if (!is_busy_) {
      return;
    }
    const std::vector<StepRequest> requests = std::move(requests_);
    lock.unlock();
    std::vector<StepReply> answers;
    if (const Status status = caught([&] { answers = carry_out(requests); }); !status.ok()) {
      answers = {{.error = TxnError::kOther, .message = status.error().message, .is_lost = true}};
    }
    lock.lock();
    answers_ = std::move(answers);
    is_busy_ = false;
    news_.tell();
  }
}

std::vector<StepReply> Player::carry_out(const std::vector<StepRequest>& requests) {
  std::vector<StepReply> answers;
  for (const StepRequest& request : requests) {
    StepReply& answer = answers.emplace_back(session_->carry_out(request));
    if (answer.error != TxnError::kNone) {
      const bool is_undone =
          !answer.is_lost &&
          session_->carry_out({.kind = StepRequest::Kind::kRollback}).error == TxnError::kNone;
      answer.is_lost = !is_undone;
      break;
    }
  }
  return answers;
}

}  // namespace elapid
