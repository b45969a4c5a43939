#include "harness/drive/nemesis.h"

#include <numeric>
#include <utility>

namespace elapid {

FaultInjector::FaultInjector(std::vector<FaultKind> faults, const NemesisOptions& options)
    : faults_(std::move(faults)),
      interval_(options.interval),
      random_(options.seed),
      counts_(faults_.size()) {}

FaultInjector::~FaultInjector() {
  stop();
  {
    const std::unique_lock lock(mutex_);
    is_ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void FaultInjector::begin(EventLog& log) {
  log_ = &log;
  is_idle_ = false;
  thread_ = Thread([this] { work(); });
}

void FaultInjector::stop() {
  {
    const std::unique_lock lock(mutex_);
    is_stopped_ = true;
  }
  changed_.notify_all();
}

Status FaultInjector::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_idle_; });
  return error_ ? Status(*error_) : Status();
}

bool FaultInjector::has_failed() {
  const std::unique_lock lock(mutex_);
  return error_.has_value();
}

void FaultInjector::work() {
  const Status status = caught([this] { hurt_and_heal(); });
  std::unique_lock lock(mutex_);
  if (!status.ok()) {
    error_ = status.error();
  }
  is_idle_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return is_ending_; });
}

void FaultInjector::hurt_and_heal() {
  std::vector<std::size_t> round(faults_.size());
  std::iota(round.begin(), round.end(), std::size_t{0});
  bool goes_on = !faults_.empty();
  while (goes_on) {
    random_.shuffle(round);
    for (std::size_t i = 0; i < round.size() && goes_on; ++i) {
      goes_on = pause(interval_ / 2) && carry_out(round[i]);
    }
  }
}

/// Waits for a random time of up to twice `about`. False if it was stopped meanwhile.
bool FaultInjector::pause(std::chrono::nanoseconds about) {
  constexpr std::size_t kSteps = 1'000'000;
  const auto part = about / static_cast<std::int64_t>(kSteps / 2);
  const Clock::time_point until =
      Clock::now() + part * static_cast<std::int64_t>(random_.below(kSteps));
  std::unique_lock lock(mutex_);
  return !changed_.wait_until(lock, until, [this] { return is_stopped_; });
}

/// Does a fault and heals it, even if it is stopped meanwhile. False after the last fault.
bool FaultInjector::carry_out(std::size_t fault) {
  const FaultKind& what = faults_[fault];
  ++counts_[fault];
  if (!act(what.name, what.done, what.hurt)) {
    return false;
  }
  if (what.healing.empty()) {
    return true;
  }
  const bool goes_on = pause(interval_ / 2);
  return act(what.healing, what.healed, what.heal) && goes_on;
}

bool FaultInjector::act(std::string_view name, std::string_view done,
                        const std::function<Status()>& action) {
  PlainEvent event;
  event.type = EventType::kInfo;
  event.is_nemesis = true;
  event.function = name;
  event.shape = PlainValue::kNil;
  log_->tell(event);
  const Status status = caught(action);
  if (status.ok()) {
    event.shape = PlainValue::kKeyword;
    event.keyword = done;
  } else {
    event.error = "failed";
    event.message = status.error().message;
  }
  log_->tell(event);
  if (!status.ok()) {
    const std::unique_lock lock(mutex_);
    error_ = status.error();
  }
  return status.ok();
}

}  // namespace elapid
