// The findings of lint with their places, as text and as a map.
#pragma once

#include <string>
#include <vector>

#include "adapter/cli/commands/lint/lint_rules.h"
#include "adapter/elle/document_writer.h"
#include "parsers/read.h"

namespace elapid {

/// Applies all rules to a history that was read.
[[nodiscard]] Result<std::vector<LintFinding>> lint(LoadedHistory& loaded);

/// One line for each finding: `file:line: rule: message`.
[[nodiscard]] std::string findings_text(LoadedHistory& loaded,
                                        const std::vector<LintFinding>& findings);

/// One map on one line: `{:file "...", :findings [{:file :line :rule :message} ...]}`.
[[nodiscard]] std::string findings_map(const std::string& path, LoadedHistory& loaded,
                                       const std::vector<LintFinding>& findings, Syntax syntax);

}  // namespace elapid
