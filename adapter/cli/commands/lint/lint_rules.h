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
  std::optional<SourcePosition> other = {};  ///< the place of the other half of the problem
};

/// Committed reads of values that no operation wrote and that are not initial: the history is
/// incomplete, or the database made them up. One finding a value, at its first read. O(n log n).
[[nodiscard]] std::vector<LintFinding> garbage_reads(const History& history);

/// Values written to one key more than once: the writer of a read is then a guess. O(n log n).
[[nodiscard]] std::vector<LintFinding> duplicate_writes(const History& history);

/// The printed :error of the event at a position; nothing if it has none.
using ErrorText = std::function<Result<std::optional<std::string>>(SourcePosition)>;

/// Aborted transactions whose error does not exclude that they happened (a timeout, a
/// broken connection): they should be :info. Asks for the error of each aborted transaction.
[[nodiscard]] Result<std::vector<LintFinding>> doubtful_failures(const History& history,
                                                                 const ErrorText& error_text);

/// Words of transactions' levels that name no level which can be mixed with others, each at its
/// first transaction. If only some transactions have a level: also the first one without a level
/// that did not abort. Linear.
[[nodiscard]] std::vector<LintFinding> doubtful_levels(const History& history);

/// The reader's notes: shape mismatches, overlapping operations, missing invocations, time that
/// runs backwards and others.
[[nodiscard]] std::vector<LintFinding> reader_findings(const History& history);

/// The findings of all rules, in the order of the source.
[[nodiscard]] Result<std::vector<LintFinding>> lint(const History& history,
                                                    const ErrorText& error_text);

}  // namespace elapid
