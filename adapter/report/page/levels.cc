#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "adapter/report/html.h"
#include "adapter/report/level_states.h"
#include "adapter/report/level_words.h"
#include "adapter/report/page/page_parts.h"

namespace elapid {
namespace {

std::string_view shape_of(LevelState state) {
  constexpr std::array<std::string_view, 5> kShapes = {"holds", "unrefuted", "violated", "unknown",
                                                       "open"};
  return kShapes.at(static_cast<std::size_t>(state));
}

/// The word for a state. In an invalid report an open level is `not ruled out`.
std::string_view word_of(LevelState state, const ReportModel& report) {
  return state != LevelState::kOpen              ? state_word(state)
         : report.validity == Validity::kInvalid ? "not ruled out"
                                                 : "not asked";
}

std::string state_html(const ReportLevel& level, const ReportModel& report) {
  const std::string_view shape = shape_of(level.state);
  return fmt::format("<span class=\"state {}\">{}{}</span>{}", shape,
                     page_shape("shape-" + std::string(shape)), word_of(level.state, report),
                     level.is_asked ? " <span class=\"asked\">asked</span>" : "");
}

std::string cell(const std::optional<Model>& model, const ReportModel& report) {
  if (!model) {
    return "<td class=\"none\"></td>";
  }
  const ReportLevel& level = report.levels.at(static_cast<std::size_t>(*model));
  const std::string_view shape = shape_of(level.state);
  return fmt::format(
      "<td{0}><a class=\"state {1}\" href=\"#level-{2}\" title=\"{3}: {4}\">{5}"
      "<span class=\"spoken\">{3}: {4}</span></a></td>",
      level.is_asked ? " class=\"is-asked\"" : "", shape, html(friendly_name(*model)),
      html(spoken_name(*model)),
      std::string(word_of(level.state, report)) + (level.is_asked ? ", asked" : ""),
      page_shape("shape-" + std::string(shape)));
}

/// The meaning of the shapes in this chart.
std::string legend(const ReportModel& report) {
  std::string items;
  for (const LevelState state : {LevelState::kHolds, LevelState::kUnrefuted, LevelState::kViolated,
                                 LevelState::kUnknown, LevelState::kOpen}) {
    if (levels_in(state, report.levels).any()) {
      items +=
          fmt::format("<li class=\"state {0}\">{1}{2}</li>", shape_of(state),
                      page_shape("shape-" + std::string(shape_of(state))), word_of(state, report));
    }
  }
  const ModelSet in_chart = levels_of_chart();
  std::string elsewhere;
  bool is_in_chart = false;
  for (const ReportLevel& level : report.levels) {
    is_in_chart |= level.is_asked && in_chart.test(level.model);
    if (level.is_asked && !in_chart.test(level.model)) {
      elsewhere += fmt::format("<li class=\"state {}\">{}asked: {}</li>", shape_of(level.state),
                               page_shape("shape-" + std::string(shape_of(level.state))),
                               html(spoken_name(level.model)));
    }
  }
  items += is_in_chart ? "<li class=\"state\"><span class=\"box\"></span>asked</li>" : "";
  items += elsewhere;
  return "<ul class=\"legend\" aria-hidden=\"true\">" + items + "</ul>";
}

std::string table(const ReportModel& report) {
  std::vector<ReportLevel> levels = report.levels;
  std::ranges::sort(levels, {},
                    [](const ReportLevel& level) { return friendly_name(level.model); });
  std::string rows;
  for (const ReportLevel& level : levels) {
    const ModelDescription about = describe(level.model);
    rows += fmt::format(
        "<tr id=\"level-{0}\"><th scope=\"row\"><code>{0}</code></th><td>{1}{2}</td><td>{3} "
        "<cite>{4}</cite></td></tr>\n",
        html(friendly_name(level.model)), state_html(level, report),
        level.because.empty() ? "" : "<p class=\"because\">" + html(level.because) + "</p>",
        html(about.definition), html(about.source));
  }
  return page_details("all-levels",
                      fmt::format("All {} levels, with definitions and sources", levels.size()),
                      "<div class=\"scroll\"><table class=\"levels\"><thead><tr><th scope=\"col\">"
                      "level</th><th scope=\"col\">here</th><th scope=\"col\">definition</th></tr>"
                      "</thead><tbody>\n" +
                          rows + "</tbody></table></div>");
}

std::string on_timestamps(const ReportModel& report) {
  return report.by_timestamps ? "<p class=\"note\">Violations are those of the order that the "
                                "database's timestamps give.</p>\n"
                              : "";
}

}  // namespace

std::string page_chart(const ReportModel& report) {
  if (report.levels.empty()) {
    return "";
  }
  // Strong levels stand above weak ones.
  std::string rows;
  const std::span<const ChartRow> chart = level_chart();
  for (auto row = chart.rbegin(); row != chart.rend(); ++row) {
    rows += fmt::format("<tr><th scope=\"row\">{}</th>{}{}{}</tr>\n", row->name,
                        cell(row->plain, report), cell(row->in_sessions, report),
                        cell(row->in_real_time, report));
  }
  return "<figure class=\"chart\">\n<table aria-label=\"Levels, strong ones first\">\n<thead><tr>"
         "<td></td><th scope=\"col\">any order</th><th scope=\"col\">sessions</th>"
         "<th scope=\"col\">real time</th></tr></thead>\n<tbody>\n" +
         rows + "</tbody></table>\n" + legend(report) + "</figure>\n";
}

std::string page_levels(const ReportModel& report) {
  if (report.levels.empty()) {
    return "";
  }
  return "<section id=\"levels\" aria-labelledby=\"levels-h\">\n<h2 id=\"levels-h\">Levels</h2>\n" +
         on_timestamps(report) + table(report) + "\n</section>\n";
}

}  // namespace elapid
