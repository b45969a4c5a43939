// The overview of the page: charts over one axis, and the same in words and numbers.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "adapter/report/duration_text.h"
#include "adapter/report/html.h"
#include "adapter/report/page/overview_charts.h"
#include "adapter/report/page/page_parts.h"
#include "adapter/report/views/svg_text.h"
#include "engine/ir/with_commas.h"

namespace elapid {
namespace {

constexpr std::size_t kMostTableRows = 12;
constexpr std::size_t kMostSaid = 4;

/// Room for an anomaly's name, and for a fault's, as a part of the axis on the narrowest page.
constexpr double kMarkRoom = 0.1;
constexpr double kLetterRoom = 0.026;
constexpr std::size_t kMostOverviewRows = 4;
constexpr double kRowHeight = 1.5;  // in rem

bool has_times(const ReportOverview& overview) {
  return overview.axis == OverviewAxis::kTime;
}

/// The unit of an axis without times.
std::string_view unit(const ReportOverview& overview) {
  return overview.axis == OverviewAxis::kEvents ? "event" : "transaction";
}

/// A moment of the axis: `12.3 s`, `event 1,200`.
std::string moment(const ReportOverview& overview, double at) {
  const double value = at * static_cast<double>(overview.length);
  return has_times(overview)
             ? duration_text(static_cast<std::int64_t>(value))
             : fmt::format("{} {}", unit(overview), with_commas(static_cast<std::uint64_t>(value)));
}

/// The count of a part; with times, the rate.
std::string rate(const ReportOverview& overview, std::size_t count, std::uint64_t length) {
  if (!has_times(overview)) {
    return with_commas(count);
  }
  const double per_second = static_cast<double>(count) * 1e9 / static_cast<double>(length);
  return per_second < 10 ? fmt::format("{:.2g}", per_second)
                         : with_commas(static_cast<std::uint64_t>(std::lround(per_second)));
}

std::string percent(double part) {
  return fmt::format("{}%", number(100 * part));
}

/// The names of the faults that are active in this interval, each once.
std::string faults_at(const ReportOverview& overview, double from, double to) {
  std::vector<std::string> names;
  for (const OverviewFault& fault : overview.faults) {
    if (fault.from <= to && fault.to >= from && (fault.lasts || from < to) &&
        std::ranges::find(names, fault.label) == names.end()) {
      names.push_back(fault.label);
    }
  }
  std::string text;
  for (const std::string& name : names) {
    text += (text.empty() ? "" : ", ") + name;
  }
  return text;
}

/// The description of the charts in words.
std::string says(const ReportOverview& overview) {
  const std::size_t count =
      overview.all.committed + overview.all.aborted + overview.all.indeterminate;
  std::string text =
      has_times(overview)
          ? fmt::format("{} transactions in {}, {} a second.", with_commas(count),
                        duration_text(static_cast<std::int64_t>(overview.length)),
                        rate(overview, count, overview.length))
          : fmt::format("The source has no times: from left to right are its {} transactions {}.",
                        with_commas(count),
                        overview.axis == OverviewAxis::kEvents ? "in the order of their ends"
                                                               : "as they stand in it");
  if (overview.all.median) {
    text +=
        fmt::format(" Of those that committed half took at most {}, 95 % at most {}.",
                    duration_text(*overview.all.median, 2), duration_text(*overview.all.slow, 2));
  }
  for (std::size_t i = 0; i < std::min(overview.findings.size(), kMostSaid); ++i) {
    const OverviewFinding& finding = overview.findings[i];
    const std::string faults = faults_at(overview, finding.at, finding.at);
    text +=
        fmt::format(" <a href=\"#{0}\">{0}</a> was complete at {1}{2}.", finding.anchor,
                    moment(overview, finding.at), faults.empty() ? "" : html(", during " + faults));
  }
  return "<p class=\"ov-says\">" + text + "</p>\n";
}

std::string row(std::string_view name, std::string_view key, std::string_view kind,
                const std::string& plot) {
  return fmt::format(
      "<div class=\"ov {0}\"><div class=\"ov-name\"><h3>{1}</h3>{2}</div>"
      "<div class=\"ov-plot\">{3}</div></div>\n",
      kind, name, key, plot);
}

std::string key(std::string_view kind, const std::string& words) {
  return fmt::format("<span class=\"ov-key {}\">{}</span>", kind, words);
}

/// A label of the scale at height `y`.
std::string scale(double y, std::string_view words) {
  return fmt::format("<span class=\"ov-y\" style=\"top:{}\">{}</span>", percent(y), words);
}

std::string rates(const ReportOverview& overview, const std::string& of = "") {
  std::string keys = key("area", "committed " + with_commas(overview.all.committed));
  if (overview.all.aborted > 0) {
    keys += key("line", "aborted " + with_commas(overview.all.aborted));
  }
  if (overview.all.indeterminate > 0) {
    keys += key("dashed", "indeterminate " + with_commas(overview.all.indeterminate));
  }
  return row(!of.empty() ? ":" + of
             : has_times(overview)
                 ? "Transactions a second"
                 : fmt::format("Of {} {}s each", with_commas(overview.part_length), unit(overview)),
             keys, "tall",
             rate_chart(overview, of.empty()) +
                 scale(0, rate(overview, highest_count(overview), overview.part_length)) +
                 scale(1, "0"));
}

std::string latencies(const ReportOverview& overview) {
  if (!overview.all.median) {
    return "";
  }
  std::string plot = latency_chart(overview);
  for (const auto& [y, ns] : latency_lines(overview)) {
    plot += scale(y, duration_text(ns));
  }
  return row("Latency", key("line", "median") + key("dashed", "95 %"), "tall", plot);
}

/// The charts of each function's operations.
std::string functions(const ReportOverview& overview) {
  std::string charts;
  for (const OverviewFunction& function : overview.functions) {
    const ReportOverview one = {.axis = overview.axis,
                                .part_length = overview.part_length,
                                .length = overview.length,
                                .parts = function.parts,
                                .all = function.all};
    charts += rates(one, html(function.name)) + latencies(one);
  }
  if (overview.functions_left_out > 0) {
    charts += fmt::format("<p class=\"what\">Not shown: {} others, which are rarer.</p>\n",
                          with_commas(overview.functions_left_out));
  }
  return charts.empty() ? ""
                        : page_details("ov-table", "By function",
                                       "<div class=\"overview\">\n" + charts + "</div>\n");
}

std::string clocks(const ReportOverview& overview) {
  if (overview.clocks.empty()) {
    return "";
  }
  std::string keys;
  std::string plot = clock_chart(overview);
  const double most = greatest_offset(overview);
  for (const OverviewClock& clock : overview.clocks) {
    const auto [least, greatest] =
        std::ranges::minmax_element(clock.offsets, {}, &std::pair<double, double>::second);
    keys += key("", fmt::format("{} {:.3g} to {:.3g} s", html(clock.node), least->second,
                                greatest->second));
  }
  if (overview.clocks_left_out > 0) {
    keys += key("", fmt::format("and {} others", with_commas(overview.clocks_left_out)));
  }
  return row(
      "Clocks off by", keys, "tall",
      plot + scale(0, fmt::format("{:.3g} s", most)) + scale(1, fmt::format("{:.3g} s", -most)));
}

/// The first row with room for a name at this place.
std::size_t free_row(std::vector<double>& row_ends, double from, double room) {
  const auto row = std::ranges::find_if(row_ends, [&](double end) { return end <= from; });
  const auto place = static_cast<std::size_t>(row - row_ends.begin());
  if (row == row_ends.end()) {
    row_ends.push_back(0);
  }
  row_ends[place] = from + room;
  return place;
}

/// A container for named things in rows; things beyond the last row have no names.
std::string with_rows(std::size_t rows, std::string_view kind, const std::string& content) {
  return fmt::format(
      "<div class=\"{}\" style=\"height:{}rem\">{}</div>", kind,
      number(kRowHeight * static_cast<double>(std::clamp<std::size_t>(rows, 1, kMostOverviewRows))),
      content);
}

std::string in_row(std::size_t row) {
  return fmt::format("top:{}rem", number(kRowHeight * static_cast<double>(row)));
}

/// The position of a name at `at`; near the end of the axis it stands to the left.
std::string placed(double at, double room, std::size_t row) {
  return at + room > 1 ? fmt::format("right:{};{}", percent(1 - at), in_row(row))
                       : fmt::format("left:{};{}", percent(at), in_row(row));
}

std::string faults(const ReportOverview& overview) {
  if (overview.faults.empty()) {
    return "";
  }
  std::string names;
  std::vector<double> row_ends;
  for (const OverviewFault& fault : overview.faults) {
    const double room = kLetterRoom * static_cast<double>(columns(fault.label) + 1);
    const std::size_t row = free_row(row_ends, fault.from, std::max(room, fault.to - fault.from));
    if (row < kMostOverviewRows) {
      names += fmt::format(
          "<span class=\"{}\" style=\"left:{};width:{};{}\" title=\"{}\"><b>{}</b></span>",
          fault.lasts ? "ov-fault" : "ov-fault ov-act", percent(fault.from),
          percent(fault.to - fault.from), in_row(row), html(fault.words),
          html(fitted(fault.label, 24)));
    }
  }
  const std::size_t count = overview.faults.size() + overview.faults_left_out;
  return row("Nemesis", key("", count == 1 ? "1 act" : with_commas(count) + " acts"), "",
             with_rows(row_ends.size(), "ov-rows ov-faults", names));
}

std::string anomalies(const ReportOverview& overview) {
  if (overview.all.anomalies == 0) {
    return "";
  }
  std::vector<OverviewFinding> marks = overview.findings;
  std::ranges::stable_sort(marks, {}, &OverviewFinding::at);
  std::string names;
  std::vector<double> row_ends;
  std::size_t unnamed = 0;
  for (const OverviewFinding& mark : marks) {
    const std::size_t row = free_row(row_ends, std::min(mark.at, 1 - kMarkRoom), kMarkRoom);
    if (row >= kMostOverviewRows) {
      ++unnamed;
      continue;
    }
    names += fmt::format("<a class=\"ov-mark\" href=\"#{0}\" style=\"{1}\" title=\"{2}\">{0}</a>",
                         mark.anchor, placed(mark.at, kMarkRoom, row), html(mark.name));
  }
  const std::string count = with_commas(overview.all.anomalies) +
                            (overview.anomalies_left_out > 0
                                 ? fmt::format(" of {}", with_commas(overview.all.anomalies +
                                                                     overview.anomalies_left_out))
                                 : "") +
                            (unnamed > 0 ? fmt::format(", {} not named here", unnamed) : "");
  return row("Anomalies", key("", count), "heat",
             "<div class=\"ov-strip\">" + heat_chart(overview) + "</div>" +
                 with_rows(row_ends.size(), "ov-rows", names));
}

std::string axis(const ReportOverview& overview) {
  std::string words;
  for (const auto& [at, value] : overview_ticks(overview)) {
    const std::string text =
        has_times(overview) ? duration_text(static_cast<std::int64_t>(value)) : with_commas(value);
    words += fmt::format("<span class=\"{}\" style=\"left:{}\">{}</span>",
                         at == 0     ? "first"
                         : at > 0.92 ? "last"
                                     : "",
                         percent(at), text);
  }
  return fmt::format(
      "<div class=\"ov ov-axis\" aria-hidden=\"true\"><div class=\"ov-name\"></div>"
      "<div class=\"ov-plot\">{}</div></div>\n",
      words);
}

/// A row of the table, for several parts.
std::string table_row(const ReportOverview& overview, std::size_t first, std::size_t last) {
  OverviewPart sum;
  for (std::size_t i = first; i < last; ++i) {
    const OverviewPart& part = overview.parts[i];
    sum.committed += part.committed;
    sum.aborted += part.aborted;
    sum.indeterminate += part.indeterminate;
    sum.anomalies += part.anomalies;
    sum.slow = std::max(sum.slow, part.slow);
  }
  const auto along = [&](std::size_t part) {
    return static_cast<double>(part) / static_cast<double>(overview.parts.size());
  };
  std::string cells = fmt::format("<th scope=\"row\">{}</th>", moment(overview, along(first)));
  for (const std::size_t count : {sum.committed, sum.aborted, sum.indeterminate}) {
    cells += fmt::format("<td class=\"number\">{}</td>", with_commas(count));
  }
  if (overview.all.median) {
    cells +=
        fmt::format("<td class=\"number\">{}</td>", sum.slow ? duration_text(*sum.slow, 2) : "");
  }
  cells += fmt::format("<td class=\"number\">{}</td>", with_commas(sum.anomalies));
  if (!overview.faults.empty()) {
    cells += fmt::format("<td>{}</td>",
                         html(fitted(faults_at(overview, along(first), along(last)), 60)));
  }
  return "<tr>" + cells + "</tr>\n";
}

std::string table(const ReportOverview& overview) {
  std::string head = "<th scope=\"col\">from</th>";
  const auto column = [&](std::string_view name) {
    head += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", name);
  };
  column("committed");
  column("aborted");
  column("indeterminate");
  if (overview.all.median) {
    column("95 % within, at worst");
  }
  column("anomalies");
  head += overview.faults.empty() ? "" : "<th scope=\"col\">nemesis</th>";
  const std::size_t each = (overview.parts.size() + kMostTableRows - 1) / kMostTableRows;
  std::string rows;
  for (std::size_t first = 0; first < overview.parts.size(); first += each) {
    rows += table_row(overview, first, std::min(first + each, overview.parts.size()));
  }
  return page_details("ov-table", "The same in numbers",
                      "<div class=\"scroll\" tabindex=\"0\"><table><thead><tr>" + head +
                          "</tr></thead><tbody>\n" + rows + "</tbody></table></div>");
}

/// The shade of a cell, from 0 to 3: counts differ by powers of ten.
std::size_t shade(std::size_t count) {
  return count == 0 ? 0 : count < 4 ? 1 : count < 32 ? 2 : 3;
}

std::string key_row(const KeyTable::Row& row) {
  std::string cells = fmt::format("<th scope=\"row\"><code>{}</code></th>", html(row.key));
  for (const std::size_t count : row.counts) {
    cells += fmt::format("<td class=\"number k{}\">{}</td>", shade(count),
                         count == 0 ? "–" : with_commas(count));
  }
  return "<tr>" + cells + "</tr>\n";
}

/// The rest of the table in words: `and 3 further keys, 1 further name`.
std::string beyond(const KeyTable& keys) {
  const auto further = [](std::size_t count, std::string_view what) {
    return count == 0
               ? ""
               : fmt::format("{} further {}{}", with_commas(count), what, count == 1 ? "" : "s");
  };
  const std::string names = further(keys.names_left_out, "name");
  const std::string rows = further(keys.keys_left_out, keys.noun);
  return names.empty() && rows.empty()
             ? ""
             : fmt::format("<p class=\"what\">Not shown: {}{}{}.</p>\n", rows,
                           names.empty() || rows.empty() ? "" : ", ", names);
}

std::string keys(const ReportOverview& overview) {
  const std::string& noun = overview.keys.noun;
  const std::string title = "<h3 class=\"ov-h\">Anomalies by " + noun + "</h3>\n";
  if (overview.keys.keys < 2) {
    return "";
  }
  if (overview.keys.rows.empty()) {
    return fmt::format("{}<p class=\"what\">{} {}s take part, each in a single one.</p>\n", title,
                       with_commas(overview.keys.keys), noun);
  }
  std::string head = "<th scope=\"col\">" + noun + "</th>";
  for (const std::string& name : overview.keys.names) {
    head += fmt::format("<th scope=\"col\" class=\"number\">{}</th>", html(name));
  }
  std::string rows;
  for (const KeyTable::Row& row : overview.keys.rows) {
    rows += key_row(row);
  }
  return title + "<div class=\"scroll\" tabindex=\"0\"><table class=\"ov-keys\"><thead><tr>" +
         head + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n" +
         beyond(overview.keys);
}

}  // namespace

std::string page_overview(const ReportModel& report) {
  if (!report.overview) {
    return "";
  }
  const ReportOverview& overview = *report.overview;
  return "<section id=\"overview\" aria-labelledby=\"overview-h\">\n"
         "<h2 id=\"overview-h\">From first to last</h2>\n" +
         says(overview) + "<div class=\"overview\">\n" + rates(overview) + latencies(overview) +
         clocks(overview) + faults(overview) + anomalies(overview) + axis(overview) + "</div>\n" +
         functions(overview) + table(overview) + keys(overview) + "</section>\n";
}

}  // namespace elapid
