#include <fmt/format.h>

#include <algorithm>

#include "adapter/report/html.h"
#include "adapter/report/page/page_parts.h"

namespace elapid {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += text.empty() ? word : ", " + word;
  }
  return text;
}

/// The words that the filter searches.
std::string found_by(const ReportFinding& finding) {
  std::string words = finding.name + " " + finding.gloss;
  for (const ReportFollower& follower : finding.followers) {
    words += " " + follower.name;
  }
  for (const std::string& key : finding.keys) {
    words += " " + finding.key_noun + " " + key;
  }
  for (const std::string& session : finding.sessions) {
    words += " " + session;
  }
  return words;
}

std::size_t count_of(const ReportFinding& finding) {
  std::size_t count = finding.count;
  for (const ReportFollower& follower : finding.followers) {
    count += follower.count;
  }
  return count;
}

std::string index_row(const ReportFinding& finding) {
  return fmt::format(
      "<tr data-for=\"{0}\" data-words=\"{1}\"><td><a href=\"#{0}\">{0}</a></td>"
      "<th scope=\"row\"><a href=\"#{0}\">{2}</a>{3}</th><td>{4}</td><td class=\"wide\">{5}</td>"
      "<td class=\"number wide\">{6}</td><td class=\"number\">{7}</td></tr>\n",
      finding.anchor, html(found_by(finding)), html(finding.name),
      finding.gloss.empty() ? "" : " <span class=\"gloss\">" + html(finding.gloss) + "</span>",
      html(joined(finding.keys)), html(joined(finding.sessions)), finding.txn_count,
      count_of(finding));
}

/// The index, a line an anomaly; empty for a single one.
std::string index(const ReportModel& report) {
  if (report.findings.size() < 2) {
    return "";
  }
  std::string rows;
  for (const ReportFinding& finding : report.findings) {
    rows += index_row(finding);
  }
  return fmt::format(
      "<p class=\"filter\" hidden><label>Show those of <input type=\"search\" "
      "placeholder=\"class, {0} or process\" aria-controls=\"index\"></label> "
      "<output></output></p>\n"
      "<div class=\"scroll\"><table class=\"index\" id=\"index\"><thead><tr><th scope=\"col\">"
      "no.</th><th scope=\"col\">class</th><th scope=\"col\">{0}s</th>"
      "<th scope=\"col\" class=\"wide\">sessions</th>"
      "<th scope=\"col\" class=\"number wide\">{2}s</th>"
      "<th scope=\"col\" "
      "class=\"number\">found</th></tr></thead><tbody>\n{1}</tbody></table></div>\n",
      report.findings.front().key_noun, rows, report.unit);
}

std::string chip(std::string_view label, std::string_view value) {
  return fmt::format("<li>{} <code>{}</code></li>", label, html(value));
}

std::string chips(const ReportFinding& finding) {
  constexpr std::size_t kMostChips = 6;
  std::string items;
  const std::size_t shown = std::min(finding.keys.size(), kMostChips);
  for (std::size_t i = 0; i < shown; ++i) {
    items += chip(finding.key_noun, finding.keys[i]);
  }
  if (shown < finding.keys.size()) {
    items += fmt::format("<li>{} more {}s</li>", finding.keys.size() - shown, finding.key_noun);
  }
  items += finding.count > 1
               ? fmt::format("<li>{} of this class, the shortest is shown</li>", finding.count)
               : "";
  items += finding.is_doubtful ? "<li class=\"doubtful\">errors of clocks explain it</li>" : "";
  return items.empty() ? "" : "<ul class=\"chips\">" + items + "</ul>\n";
}

std::string followers(const ReportFinding& finding) {
  std::string text;
  for (const ReportFollower& follower : finding.followers) {
    text += fmt::format(
        "<h4>The same transactions show <b>{}</b>{}{}</h4>\n{}\n", html(follower.name),
        follower.gloss.empty() ? "" : ": " + html(follower.gloss),
        follower.count > 1 ? fmt::format(", {} times in the history", follower.count) : "",
        page_proof(follower.proof));
  }
  return text;
}

std::string part(std::string_view kind, std::string_view heading, const std::string& content) {
  return content.empty() ? ""
                         : fmt::format("<section class=\"{}\"><h4>{}</h4>\n{}</section>\n", kind,
                                       heading, content);
}

std::string card(const ReportModel& report, const ReportFinding& finding, std::size_t& bytes_left) {
  const FindingPictures pictures = finding_pictures(finding, bytes_left);
  return fmt::format(
             "<article class=\"finding\" id=\"{0}\" data-exhibit=\"{0}\" "
             "aria-labelledby=\"{0}-h\">\n"
             "<header><h3 id=\"{0}-h\"><a class=\"no\" href=\"#{0}\">{0}</a> "
             "{1}{2}</h3>\n{3}</header>\n",
             finding.anchor, html(finding.name),
             finding.gloss.empty() ? ""
                                   : " <span class=\"gloss\">" + html(finding.gloss) + "</span>",
             chips(finding)) +
         (pictures.is_small ? pictures.table : "") +
         part("why", "Why this cannot be", page_proof(finding.proof) + followers(finding)) +
         pictures.graph + (pictures.is_small ? "" : pictures.table) + pictures.timeline +
         part("who", fmt::format("The {}s, as the history has them", report.unit),
              finding.actors.empty() ? "" : page_cast(finding)) +
         part("forbidden", "Why it is forbidden", page_reasons(report, finding)) + "</article>\n";
}

}  // namespace

std::string page_findings(const ReportModel& report, std::size_t bytes_left) {
  if (report.findings.empty()) {
    return "";
  }
  std::string cards;
  for (const ReportFinding& finding : report.findings) {
    cards += card(report, finding, bytes_left);
  }
  if (report.findings_left_out > 0) {
    cards += fmt::format("<p class=\"note\">{} more anomalies are not shown here.</p>",
                         report.findings_left_out);
  }
  return "<section id=\"anomalies\" aria-labelledby=\"anomalies-h\">\n<h2 id=\"anomalies-h\">"
         "Anomalies</h2>\n" +
         index(report) + cards + "</section>\n";
}

}  // namespace elapid
