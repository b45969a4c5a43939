// A running check: its stage, whether it was told to stop, and where its budget was spent.
#pragma once

#include <string>
#include <string_view>

#include "engine/check/check.h"

namespace elapid {

class Work {
 public:
  explicit Work(const CheckOptions& options) : options_(options) {}

  /// Enters a stage, or reports progress in it. False once the check is told to stop.
  bool progress(std::string_view stage) {
    stage_ = stage;
    stopped_ = stopped_ || (options_.progress && !options_.progress(stage));
    return !stopped_;
  }

  [[nodiscard]] bool was_stopped() const { return stopped_; }

  /// Whether the budget allows more work. Once it does not, nothing else begins: the check decides,
  /// certifies and reports its findings.
  bool has_budget() {
    if (spent_at_.empty() && options_.has_budget && !options_.has_budget()) {
      spent_at_ = stage_;
    }
    return spent_at_.empty();
  }

  /// Memory ran out, which counts as a spent budget.
  void run_out() {
    if (spent_at_.empty()) {
      spent_at_ = stage_;
    }
  }

  [[nodiscard]] std::string_view stage() const { return stage_; }

  /// Why the check is not complete: the stage at which the budget was spent. Empty if it was not.
  [[nodiscard]] std::string spent_budget() const {
    return spent_at_.empty() ? ""
                             : "the budget was reached while " + std::string(spent_at_) + " (" +
                                   options_.spent_budget + ")";
  }

 private:
  const CheckOptions& options_;
  bool stopped_ = false;
  std::string_view stage_ = "beginning";
  std::string_view spent_at_;
};

}  // namespace elapid
