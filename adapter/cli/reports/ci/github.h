// Verdicts as GitHub Actions shows them: annotations, which are lines of the log, and a summary of
// the step in Markdown.
//
// GitHub shows ten errors and ten warnings of one step and drops the others without a word. So the
// last one that fits tells how many are left out.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "adapter/cli/reports/ci/ci_history.h"

namespace elapid {

inline constexpr std::size_t kMostAnnotations = 10;  ///< of errors, and of warnings
inline constexpr std::size_t kMostSummaryBytes = 1'000'000;

/// An error for each root cause and for each history that could not be checked, a warning for each
/// unknown one; a line for the log each.
[[nodiscard]] std::string github_annotations(std::span<const CiHistory> histories);

/// A table of all histories, and the explanations of what is invalid, within kMostSummaryBytes.
[[nodiscard]] std::string github_summary(std::span<const CiHistory> histories);

}  // namespace elapid
