#include <fmt/format.h>

#include <algorithm>

#include "adapter/cli/commands/run/matrix/matrix_report.h"
#include "adapter/report/html.h"
#include "adapter/report/level_states.h"
#include "adapter/report/page/page_frame.h"
#include "adapter/report/page/page_parts.h"
#include "engine/ir/with_commas.h"

namespace elapid {
namespace {

constexpr std::string_view kMatrixStyle = R"css(
.matrix thead th.level { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; padding: 0; height: 11.5rem; vertical-align: top; width: 2.1rem; font-size: .75rem; font-weight: 400; }
.matrix td.level { padding: 0; text-align: center; vertical-align: middle; width: 2.1rem; line-height: 1; }
.matrix td.level .shape { width: 1.05rem; height: 1.05rem; vertical-align: middle; }
.matrix th[scope=row] { white-space: nowrap; font-weight: 400; }
.matrix th.first { font-weight: 600; }
.matrix tr.next > * { border-top-color: transparent; }
.runs td { white-space: nowrap; }
.runs td.words { white-space: normal; min-width: 12rem; }
main h1 { max-width: 34ch; }
.layout { display: block !important; max-width: 76rem !important; }
.verdict { display: block !important; }
)css";

struct Column {
  Model model = Model::kPl3;
  std::string name = {};
};

/// The levels of the reports' chart, weak ones first, each form of a level beside the others.
std::vector<Column> columns() {
  std::vector<Column> columns;
  for (const ChartRow& row : level_chart()) {
    columns.push_back({row.plain, std::string(row.name)});
    if (row.in_sessions) {
      columns.push_back({*row.in_sessions, std::string(row.name) + ", sessions"});
    }
    if (row.in_real_time) {
      columns.push_back({*row.in_real_time, std::string(row.name) + ", real time"});
    }
  }
  return columns;
}

std::string_view shape_of(Validity validity) {
  return validity == Validity::kValid     ? "holds"
         : validity == Validity::kInvalid ? "violated"
                                          : "unknown";
}

std::string_view state_of(Validity validity) {
  return validity == Validity::kValid     ? "held"
         : validity == Validity::kInvalid ? "violated"
                                          : "unknown";
}

std::string level_cell(const MatrixRow& row, const Column& column) {
  const auto found = std::ranges::find(row.standings, column.model, &Standing::model);
  if (found == row.standings.end()) {
    return "<td class=\"level\"></td>";
  }
  const std::string_view shape = shape_of(found->validity);
  const bool is_promised = row.promised.model == column.model;
  return fmt::format(
      "<td class=\"level{0}\"><span class=\"state {1}\" title=\"{2}: {3}\">{4}"
      "<span class=\"spoken\">{3}{5}</span></span></td>",
      is_promised ? " is-asked" : "", shape, html(column.name), state_of(found->validity),
      page_shape("shape-" + std::string(shape)), is_promised ? ", asked for" : "");
}

std::string promise_html(Validity promise) {
  const std::string_view shape = shape_of(promise);
  return fmt::format("<span class=\"state {}\">{}{}</span>", shape,
                     page_shape("shape-" + std::string(shape)), promise_word(promise));
}

std::string row_html(const MatrixRow& row, const MatrixRow* before,
                     const std::vector<Column>& levels) {
  const bool is_same = before != nullptr && before->address == row.address;
  const std::string name = row.database.empty() ? row.address : row.database;
  std::string cells = fmt::format(
      "<tr{}><th scope=\"row\" class=\"first\" title=\"{}\">{}</th><th "
      "scope=\"row\">{}</th><td>{}</td>",
      is_same ? " class=\"next\"" : "", html(row.address), is_same ? "" : html(name),
      html(row.promised.name), promise_html(row.promise));
  for (const Column& column : levels) {
    cells += level_cell(row, column);
  }
  return cells + "</tr>\n";
}

std::string chart(const std::vector<MatrixRow>& rows) {
  const std::vector<Column> levels = columns();
  std::string head;
  for (const Column& column : levels) {
    head += "<th scope=\"col\" class=\"level\">" + html(column.name) + "</th>";
  }
  std::string body;
  for (const MatrixRow& row : rows) {
    const MatrixRow* const before = &row == rows.data() ? nullptr : &row - 1;
    body += row_html(row, before, levels);
  }
  std::string legend;
  for (const Validity validity : {Validity::kValid, Validity::kInvalid, Validity::kUnknown}) {
    legend +=
        fmt::format("<li class=\"state {0}\">{1}{2}</li>", shape_of(validity),
                    page_shape("shape-" + std::string(shape_of(validity))), state_of(validity));
  }
  return "<section id=\"levels\" aria-labelledby=\"levels-h\"><h2 id=\"levels-h\">Levels</h2>\n"
         "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"levels-h\"><table "
         "class=\"matrix\"><thead><tr>"
         "<th scope=\"col\">database</th><th scope=\"col\">asked for</th>"
         "<th scope=\"col\">promise</th>" +
         head + "</tr></thead><tbody>\n" + body + "</tbody></table></div>\n<ul class=\"legend\">" +
         legend +
         "<li class=\"state\"><span class=\"box\"></span>asked for</li></ul>\n"
         "<p class=\"note\">Held means: in all runs. A violation in one run is enough for the "
         "other.</p></section>\n";
}

std::string anomalies_html(const MatrixRun& run) {
  if (!run.problem.empty()) {
    return "no verdict: " + html(run.problem);
  }
  std::string text;
  for (const AnomalyCount& anomaly : run.anomalies) {
    text += fmt::format("{}<span class=\"whole-word\">{}</span> {}", text.empty() ? "" : ", ",
                        html(anomaly.type), with_commas(anomaly.count));
  }
  return !text.empty() ? text : run.is_counted ? "none" : "-";
}

std::string run_html(const MatrixRun& run) {
  return fmt::format(
      "<tr><td>{}</td><td>{}</td><td><a href=\"{}\">{}</a></td><td class=\"number\">{}</td>"
      "<td class=\"number\">{} %</td><td class=\"number\">{} %</td><td class=\"number\">{}</td>"
      "<td class=\"words\">{}</td></tr>\n",
      html(run.shown_name()), html(run.promised.name), html("../../" + run.folder),
      html(run.workload), with_commas(run.throughput()),
      percent_text(run.aborted, run.transactions),
      percent_text(run.indeterminate, run.transactions), rate_text(run), anomalies_html(run));
}

std::string runs(const std::vector<MatrixRun>& runs) {
  std::string body;
  for (const MatrixRun& run : runs) {
    body += run_html(run);
  }
  return "<section id=\"runs\" aria-labelledby=\"runs-h\"><h2 id=\"runs-h\">Runs</h2>\n<div "
         "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-labelledby=\"runs-h\">"
         "<table class=\"runs\"><thead><tr><th scope=\"col\">database</th>"
         "<th scope=\"col\">asked for</th><th scope=\"col\">workload</th>"
         "<th scope=\"col\" class=\"number\">transactions/s</th><th scope=\"col\" "
         "class=\"number\">aborted</th>"
         "<th scope=\"col\" class=\"number\">unknown</th>"
         "<th scope=\"col\" class=\"number\">anomalies in 1,000 (95 %)</th><th "
         "scope=\"col\">anomalies</th></tr>"
         "</thead><tbody>\n" +
         body + "</tbody></table></div></section>\n";
}

std::string headline(const std::vector<MatrixRow>& rows) {
  const auto kept = std::ranges::count(rows, Validity::kValid, &MatrixRow::promise);
  const auto broken = std::ranges::count(rows, Validity::kInvalid, &MatrixRow::promise);
  std::string text = fmt::format("{} of {} promises kept", kept, rows.size());
  return text + (broken > 0 ? fmt::format(", {} broken", broken) : "");
}

std::string again(const MatrixReport& report) {
  return fmt::format(
      "<section id=\"again\" aria-labelledby=\"again-h\"><h2 id=\"again-h\">The same requests "
      "again</h2>\n<pre class=\"command\">{}</pre></section>\n",
      html(report.command));
}

}  // namespace

std::string matrix_page(const MatrixReport& report) {
  const std::vector<MatrixRow> rows = rows_of(report.runs);
  const std::string title = headline(rows);
  const Validity promises = promises_of(rows);
  const std::string content = fmt::format(
      "<div class=\"layout\"><main><section class=\"verdict {}\" "
      "id=\"verdict\"><h1>{}</h1></section>\n{}{}{}"
      "</main></div>\n",
      validity_word(promises), html(title), chart(rows), runs(report.runs), again(report));
  return framed_page(
      {.title = title, .subject = report.time, .validity = promises, .style = kMatrixStyle},
      content);
}

}  // namespace elapid
