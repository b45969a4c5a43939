#include <fmt/format.h>

#include <vector>

#include "adapter/report/html.h"
#include "adapter/report/level_words.h"
#include "adapter/report/page/page_parts.h"
#include "engine/levels/ladder.h"

namespace elapid {
namespace {

constexpr std::size_t kMostDefinitions = 3;
constexpr std::size_t kMostSurvivors = 6;

std::string definition(Model model) {
  const ModelDescription about = describe(model);
  const std::string_view documented = documented_as(model);
  return fmt::format("<blockquote><p><b>{}</b> {}</p><footer>{}{}</footer></blockquote>\n",
                     html(spoken_name(model)), html(about.definition), html(about.source),
                     documented.empty() ? "" : "<br>Documented as: " + html(documented));
}

/// Why the finding violates the levels asked for, if it does not rule them out directly.
std::string link_to_asked(const ReportModel& report, const ReportFinding& finding) {
  std::vector<std::string> stronger;
  const ModelSet impossible = all_impossible(finding.rules_out);
  for (const ReportLevel& level : report.levels) {
    if (level.is_asked && impossible.test(level.model) && !finding.rules_out.test(level.model)) {
      stronger.push_back(spoken_name(level.model));
    }
  }
  return stronger.empty()
             ? ""
             : fmt::format(
                   "<p>{}, which was checked, is at least as strong, and so is violated too.</p>\n",
                   html(listed_words(stronger)));
}

std::string survivors(const ReportFinding& finding) {
  std::vector<std::string> names = spoken_names(finding.survivors);
  if (names.empty()) {
    return "";
  }
  if (names.size() > kMostSurvivors) {
    const std::size_t more = names.size() - kMostSurvivors + 1;
    names.resize(kMostSurvivors - 1);
    names.push_back(fmt::format("{} more", more));
  }
  return fmt::format("<p class=\"note\">It does not rule out {}.</p>\n", html(listed_words(names)));
}

}  // namespace

std::string page_reasons(const ReportModel& report, const ReportFinding& finding) {
  if (finding.rules_out.none()) {
    return "";
  }
  std::string text;
  std::size_t shown = 0;
  for (const Model model : finding.rules_out) {
    text += shown++ < kMostDefinitions ? definition(model) : "";
  }
  if (shown > kMostDefinitions) {
    text += fmt::format("<p class=\"note\">and {} more levels; see <a href=\"#levels\">all</a></p>",
                        shown - kMostDefinitions);
  }
  return text + link_to_asked(report, finding) + survivors(finding);
}

}  // namespace elapid
