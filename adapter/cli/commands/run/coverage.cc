#include "adapter/cli/commands/run/coverage.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "adapter/cli/reports/check_report.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

/// Per cent of all attempts: a run in which more fail shows nothing.
constexpr std::uint64_t kMostFailures = 50;

std::string why_failed(const DriveCounts& counts) {
  const std::uint64_t attempts = counts.transactions + counts.retried;
  std::uint64_t failures = 0;
  for (std::size_t error = 0; error < kTxnErrors; ++error) {
    failures += is_failure(static_cast<TxnError>(error)) ? counts.errors[error] : 0;
  }
  return failures * 100 <= attempts * kMostFailures
             ? ""
             : fmt::format("{} of {} transactions failed with errors that are no conflicts, as: {}",
                           failures, attempts, visible_line(counts.failure));
}

}  // namespace

std::string why_too_little(const CheckRequest& request, const History& history,
                           const std::optional<DriveCounts>& counts) {
  if (!request.least_contention) {
    return "";
  }
  const std::string failed = counts ? why_failed(*counts) : "";
  const std::string vacuous = vacuity(request, history);
  return failed + (failed.empty() || vacuous.empty() ? "" : "; ") + vacuous;
}

}  // namespace elapid
