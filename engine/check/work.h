// A running check: its stage, whether it was told to stop, and where its budget was spent.
#pragma once

#include <new>
#include <string>
#include <string_view>

#include "engine/check/check.h"
#include "engine/ir/memory_account.h"

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
    if (spent_at_.empty() && is_out_of_time()) {
      spent_at_ = stage_;
    }
    return spent_at_.empty();
  }

  /// As has_budget(), for a search that goes on with less: nothing is noted.
  [[nodiscard]] bool is_out_of_time() const {
    return options_.has_budget && !options_.has_budget();
  }

  /// Which budget a search has reached.
  [[nodiscard]] std::string reached() const {
    return is_out_of_time() ? options_.spent_budget : std::string(options_.words.solver_work);
  }

  /// Calls `act()`. Returns false if memory runs out below its limit, which counts as a spent
  /// budget; earlier decisions stay.
  template <class Act>
  bool in_memory(Act act) {
    try {
      act();
      return true;
    } catch (const std::bad_alloc&) {
      if (!MemoryLimit::is_set()) {
        throw;
      }
    }
    if (spent_at_.empty()) {
      spent_at_ = stage_;
    }
    return false;
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
