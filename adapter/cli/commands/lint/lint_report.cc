#include "adapter/cli/commands/lint/lint_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "adapter/source/source_words.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

Result<std::optional<std::string>> error_text(LoadedHistory& loaded, SourcePosition position) {
  ELAPID_ASSIGN_OR_RETURN(EventDetails details, loaded.details(position));
  const auto& extras = details.extras;
  const auto error = std::find_if(extras.begin(), extras.end(),
                                  [](const auto& extra) { return extra.first == ":error"; });
  return error == extras.end() ? std::nullopt : std::optional(error->second);
}

SourceLines lines_of(LoadedHistory& loaded, const std::vector<LintFinding>& findings) {
  SourceLines lines(loaded);
  for (const LintFinding& finding : findings) {
    lines.want(finding.position);
    if (finding.other) {
      lines.want(*finding.other);
    }
  }
  return lines;
}

std::string message_of(const LintFinding& finding, SourceLines& lines) {
  if (!finding.other) {
    return finding.message;
  }
  return fmt::format("{} (see {})", finding.message, lines.file_line(*finding.other));
}

}  // namespace

Result<std::vector<LintFinding>> lint(LoadedHistory& loaded) {
  return lint(loaded.history(),
              [&](SourcePosition position) { return error_text(loaded, position); });
}

std::string findings_text(LoadedHistory& loaded, const std::vector<LintFinding>& findings) {
  SourceLines lines = lines_of(loaded, findings);
  std::string out;
  for (const LintFinding& finding : findings) {
    out += fmt::format("{}: {}: {}\n", visible_line(lines.file_line(finding.position)),
                       finding.rule, visible_line(message_of(finding, lines)));
  }
  return out;
}

std::string findings_map(const std::string& path, LoadedHistory& loaded,
                         const std::vector<LintFinding>& findings, Syntax syntax) {
  SourceLines lines = lines_of(loaded, findings);
  DocumentWriter out(syntax);
  out.open(Container::kMap);
  out.key("file").string(path);
  out.key("findings").each_map(findings, [&](const LintFinding& finding) {
    out.key("file").string(lines.file(finding.position));
    out.key("line").integer(lines.line(finding.position));
    out.key("rule").keyword(finding.rule);
    out.key("message").string(message_of(finding, lines));
  });
  out.close();
  return std::move(out).take() + "\n";
}

}  // namespace elapid
