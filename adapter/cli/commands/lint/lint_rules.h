// The rules of lint: properties of a history and its source that make any verdict doubtful.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

struct LintFinding {
  std::string_view rule;  ///< as `duplicate-write`
  SourcePosition position;
  std::string message;                       ///< one sentence
  std::optional<SourcePosition> other = {};  ///< where the other half of the trouble stands
};

/// A committed read of a value that no operation wrote and that is not the initial one: the history
/// is incomplete, or the database made it up. One finding a value, at its first read. O(n log n).
[[nodiscard]] std::vector<LintFinding> garbage_reads(const History& history);

/// A value written to one key more than once: whose write a read saw is then a guess. O(n log n).
[[nodiscard]] std::vector<LintFinding> duplicate_writes(const History& history);

/// The printed :error of the event at a position; nothing if it has none.
using ErrorText = std::function<Result<std::optional<std::string>>(SourcePosition)>;

/// Aborted transactions whose error does not say that they did not happen (a timeout, a connection
/// that broke): they should be :info. Asks for the error of each aborted transaction.
[[nodiscard]] Result<std::vector<LintFinding>> doubtful_failures(const History& history,
                                                                 const ErrorText& error_text);

/// Words of transactions' levels that name no level which stands beside others, at their first
/// transaction each; and, where some transactions have a level, the first without one that did not
/// abort. Linear.
[[nodiscard]] std::vector<LintFinding> doubtful_levels(const History& history);

/// What the reader noticed: shape mismatches, overlapping operations, missing invocations, time
/// running backwards and the like.
[[nodiscard]] std::vector<LintFinding> reader_findings(const History& history);

/// All of the above in the order of the source.
[[nodiscard]] Result<std::vector<LintFinding>> lint(const History& history,
                                                    const ErrorText& error_text);

}  // namespace elapid
