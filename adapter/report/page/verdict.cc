#include <fmt/format.h>

#include "adapter/report/html.h"
#include "adapter/report/page/page_parts.h"
#include "adapter/report/verdict_sentence.h"

namespace elapid {
namespace {

struct Stamp {
  std::string_view word;
  std::string_view shape;
};

Stamp stamp(Validity validity) {
  return validity == Validity::kInvalid ? Stamp{"Invalid", "shape-violated"}
         : validity == Validity::kValid ? Stamp{"Valid", "shape-holds"}
                                        : Stamp{"Unknown", "shape-unknown"};
}

/// A short description of the history and the question.
std::string subject(const ReportModel& report) {
  std::string items;
  const auto add = [&](std::string_view name, std::string_view value) {
    items += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", html(name), html(value));
  };
  if (const std::string asked = asked_words(report); !asked.empty()) {
    add("Asked", asked);
  }
  for (const auto& [name, value] : report.facts) {
    if (name == "transactions" || name == "keys" || name == "rows" || name == "sessions" ||
        name == "workload" || (name == "operations" && report.unit == "operation")) {
      add(name, value);
    }
  }
  return "<dl class=\"subject\">" + items + "</dl>";
}

/// The text, with hyphenated words kept on one line.
std::string headline(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    out += word.find('-') == std::string_view::npos
               ? html(word)
               : "<span class=\"whole-word\">" + html(word) + "</span>";
    text.remove_prefix(word.size());
    out += text.empty() ? "" : " ";
    text.remove_prefix(text.empty() ? 0 : 1);
  }
  return out;
}

const std::string kOrderLink =
    "<p><a href=\"order.html\">All operations over time, and their order</a></p>\n";

}  // namespace

std::string page_verdict(const ReportModel& report) {
  const auto [word, shape] = stamp(report.validity);
  std::string clauses;
  for (const std::string& clause : report.clauses) {
    clauses += "<li>" + html(clause) + "</li>";
  }
  return fmt::format(
      "<section id=\"verdict\" class=\"verdict\" aria-labelledby=\"headline\">\n<div>\n"
      "<p class=\"stamp\">{}{}</p>\n<h1 id=\"headline\">{}</h1>\n{}{}</div>\n{}</section>\n",
      page_shape(shape), word, headline(report.headline),
      clauses.empty() ? "" : "<ul class=\"clauses\">" + clauses + "</ul>\n",
      (report.has_order_page ? kOrderLink : "") + subject(report), page_chart(report));
}

std::string page_contents(const ReportModel& report) {
  std::string items = "<li><a href=\"#verdict\">Verdict</a></li>";
  if (!report.findings.empty()) {
    std::string anomalies;
    for (const ReportFinding& finding : report.findings) {
      anomalies += fmt::format("<li><a href=\"#{0}\"><span class=\"no\">{0}</span> {1}</a></li>",
                               finding.anchor, html(finding.name));
    }
    items += fmt::format("<li><a href=\"#anomalies\">Anomalies</a><ol>{}</ol></li>", anomalies);
  }
  items += report.overview ? "<li><a href=\"#overview\">From first to last</a></li>" : "";
  items += report.levels.empty() ? "" : "<li><a href=\"#levels\">Levels</a></li>";
  items += report.opinions ? "<li><a href=\"#opinions\">Who said what</a></li>" : "";
  items += "<li><a href=\"#certainty\">How sure</a></li>";
  items += report.unknown.empty() ? "" : "<li><a href=\"#unknown\">What stays unknown</a></li>";
  items +=
      "<li><a href=\"#assumptions\">Assumptions</a></li>"
      "<li><a href=\"#history\">The history</a></li>";
  items += report.reproduce.empty() ? "" : "<li><a href=\"#reproduce\">See it again</a></li>";
  return "<nav class=\"contents\" aria-label=\"Contents\"><ul>" + items + "</ul></nav>\n";
}

}  // namespace elapid
