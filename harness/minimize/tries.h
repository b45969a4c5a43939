// Tries candidates: in parallel, each at most once, and within limits.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

#include "engine/ir/result.h"
#include "harness/minimize/draft.h"
#include "harness/minimize/minimize.h"

namespace elapid {

/// A candidate that keeps the property.
struct KeptDraft {
  std::size_t number = 0;
  Draft draft = {};
};

/// Borrows all arguments.
class Tries {
 public:
  Tries(const Keeps& keeps, const MinimizeOptions& options);

  using MakeDraft = std::function<Draft(std::size_t)>;

  /// The first of `count` candidates that keeps the property. Nothing if none does, or if a limit
  /// was reached. Several threads call `make`. The answer and the number of tries do not depend on
  /// the number of threads.
  Result<std::optional<KeptDraft>> first(std::size_t count, const MakeDraft& make);

  /// Whether the draft has the property.
  [[nodiscard]] Result<bool> keeps(const Draft& draft) const;

  [[nodiscard]] std::uint64_t tried() const { return tried_; }

  /// Whether a limit ended the tries.
  [[nodiscard]] bool is_stopped();

  /// The limit; empty if the tries go on.
  [[nodiscard]] const std::string& stopped_because() const { return stopped_because_; }

 private:
  class Round;

  [[nodiscard]] bool is_out_of_time() const;
  void note_stop();

  const Keeps& keeps_;
  const MinimizeOptions& options_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::unordered_set<std::uint64_t> refused_ = {};  // fingerprints
  std::uint64_t tried_ = 0;
  std::string stopped_because_ = {};
};

}  // namespace elapid
