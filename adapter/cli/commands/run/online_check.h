// Checks a history while it is recorded. The first violation that no later event can take back ends
// the run.
#pragma once

#include <atomic>
#include <string>

#include "adapter/cli/options/check_request.h"
#include "engine/ir/thread.h"

namespace elapid {

class OnlineCheck {
 public:
  /// Begins to check the history of events at `path`, again and again.
  OnlineCheck(const std::string& path, const CheckRequest& request);
  OnlineCheck(const OnlineCheck&) = delete;
  OnlineCheck& operator=(const OnlineCheck&) = delete;

  /// Ends it.
  ~OnlineCheck();

  [[nodiscard]] bool has_found_violation() const { return has_found_.load(); }

  /// Gives up what is being checked.
  void end() { is_ending_ = true; }

 private:
  std::atomic<bool> has_found_ = false;
  std::atomic<bool> is_ending_ = false;
  Thread thread_;  // an error in it ends no run: everything is checked when the run is over
};

}  // namespace elapid
