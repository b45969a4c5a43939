// Tries candidates: in parallel, each only once, and within limits.
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

/// Borrows what it is made of.
class Tries {
 public:
  Tries(const Keeps& keeps, const MinimizeOptions& options);

  using MakeDraft = std::function<Draft(std::size_t)>;

  /// The first of so many candidates that keeps the property, or nothing: none does, or a limit was
  /// reached. `make` is called from several threads. The answer, and what counts as tried, do not
  /// depend on the number of threads.
  Result<std::optional<KeptDraft>> first(std::size_t count, const MakeDraft& make);

  /// Whether this draft has the property.
  [[nodiscard]] Result<bool> keeps(const Draft& draft) const;

  [[nodiscard]] std::uint64_t tried() const { return tried_; }

  /// Whether nothing more is tried, because of a limit.
  [[nodiscard]] bool is_stopped();

  /// Why; empty if it is not stopped.
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
