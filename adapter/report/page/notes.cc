#include <fmt/format.h>

#include "adapter/report/html.h"
#include "adapter/report/page/page_parts.h"

namespace elapid {
namespace {

std::string section(std::string_view id, std::string_view heading, const std::string& content) {
  return content.empty() ? ""
                         : fmt::format(
                               "<section id=\"{0}\" aria-labelledby=\"{0}-h\">\n<h2 "
                               "id=\"{0}-h\">{1}</h2>\n{2}</section>\n",
                               id, heading, content);
}

std::string list(const std::vector<std::string>& lines) {
  std::string items;
  for (const std::string& line : lines) {
    items += "<li>" + html(line) + "</li>\n";
  }
  return items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
}

std::string facts(std::string_view kind, const std::vector<ReportFact>& facts) {
  std::string items;
  for (const auto& [name, value] : facts) {
    items += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", html(name), html(value));
  }
  return items.empty() ? "" : fmt::format("<dl class=\"{}\">\n{}</dl>\n", kind, items);
}

/// A row a checker, a column a level.
std::string opinions(const ReportModel& report) {
  if (!report.opinions) {
    return "";
  }
  std::string head = "<th scope=\"col\">checker</th>";
  for (const std::string& level : report.opinions->levels) {
    head += "<th scope=\"col\">" + html(level) + "</th>";
  }
  std::string rows;
  for (const ReportOpinions::Row& row : report.opinions->rows) {
    rows += "<tr><th scope=\"row\">" + html(row.checker) + "</th>";
    for (const std::string& answer : row.answers) {
      const std::string_view kind = answer == "valid"     ? "holds"
                                    : answer == "invalid" ? "violated"
                                    : answer == "unknown" ? "unknown"
                                                          : "open";
      rows += fmt::format("<td><span class=\"state {}\">{}{}</span></td>", kind,
                          page_shape("shape-" + std::string(kind)),
                          answer == "-" ? "not asked" : html(answer));
    }
    rows += "</tr>\n";
  }
  return "<div class=\"scroll\"><table class=\"answers\"><thead><tr>" + head +
         "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n" +
         list(report.opinions->rulings);
}

std::string remarks(const ReportModel& report) {
  std::string items;
  for (const ReportRemark& remark : report.remarks) {
    items += fmt::format("<li><span class=\"place\">{}</span> {}</li>\n", html(remark.place),
                         html(remark.text));
  }
  if (report.remarks_left_out > 0) {
    items += fmt::format("<li class=\"gap\">{} more remarks</li>", report.remarks_left_out);
  }
  return items.empty()
             ? ""
             : "<h3>What the reader of the history remarked</h3>\n<ul class=\"remarks\">" + items +
                   "</ul>\n";
}

std::string assumptions(const ReportModel& report) {
  return (report.assumptions.empty() ? "<p>Nothing but what the format says.</p>\n"
                                     : list(report.assumptions)) +
         remarks(report);
}

std::string commands(const ReportModel& report) {
  std::string text;
  for (const auto& [what, command] : report.reproduce) {
    text += fmt::format("<p class=\"what\">{}</p>\n<pre class=\"command\"><code>{}</code></pre>\n",
                        html(what), html(command));
  }
  return text.empty() ? "" : text + facts("facts", report.origin);
}

}  // namespace

std::string page_notes(const ReportModel& report) {
  return section("opinions", "Who said what", opinions(report)) +
         section("certainty", "How sure", list(report.certainty)) +
         section("unknown", "What stays unknown", list(report.unknown)) +
         section("assumptions", "Assumptions", assumptions(report)) +
         section("history", "The history", facts("facts", report.facts)) +
         section("reproduce", "See it again", commands(report));
}

}  // namespace elapid
