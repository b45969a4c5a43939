// Verdicts in the form of GitHub Actions: annotations, which are lines of the log, and a summary of
// the step in Markdown.
//
// GitHub shows ten errors and ten warnings of a step, and silently drops the others. So the last
// annotation tells how many are missing.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "adapter/cli/reports/ci/ci_history.h"

namespace elapid {

inline constexpr std::size_t kMostAnnotations = 10;  ///< of errors, and of warnings
inline constexpr std::size_t kMostSummaryBytes = 1'000'000;

/// Annotations, a line each: an error for each root cause and for each history that could not be
/// checked, and a warning for each unknown verdict.
[[nodiscard]] std::string github_annotations(std::span<const CiHistory> histories);

/// A table of all histories, and the explanations of the invalid ones, within kMostSummaryBytes.
[[nodiscard]] std::string github_summary(std::span<const CiHistory> histories);

}  // namespace elapid
