#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "adapter/report/forms/finding_forms.h"
#include "adapter/report/level_states.h"
#include "adapter/report/level_words.h"
#include "adapter/report/report.h"
#include "adapter/report/verdict_sentence.h"
#include "engine/ir/utf8.h"
#include "engine/ir/visible.h"
#include "engine/levels/ladder.h"

namespace elapid {
namespace {

constexpr std::size_t kMostLines = 60;
constexpr std::size_t kMostLineBytes = 400;
constexpr std::size_t kMostMarkdownBytes = 60'000;

std::string one_line(std::string_view text) {
  std::string line = shortened(visible(text), kMostLineBytes);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

std::string chart_names(const ReportModel& report, LevelState state, bool strongest) {
  const ModelSet models = levels_in(state, report.levels);
  return listed_words(spoken_names(strongest ? strongest_of(models) : weakest_of(models)));
}

/// Lines with the strongest levels that hold and the weakest that are violated.
std::vector<std::string> level_lines(const ReportModel& report) {
  std::vector<std::string> lines;
  const auto add = [&](std::string_view words, LevelState state, bool strongest) {
    if (const std::string names = chart_names(report, state, strongest); !names.empty()) {
      lines.push_back(one_line(fmt::format("{}: {}", words, names)));
    }
  };
  add("Holds", LevelState::kHolds, true);
  add("Violated", LevelState::kViolated, false);
  add("Unknown", LevelState::kUnknown, false);
  return lines;
}

/// The lines below the findings.
std::vector<std::string> closing_lines(const ReportModel& report) {
  std::vector<std::string> lines;
  if (report.opinions) {
    for (std::size_t i = 0; i < std::min<std::size_t>(report.opinions->rulings.size(), 4); ++i) {
      lines.push_back(one_line("Checkers disagree: " + report.opinions->rulings[i]));
    }
  }
  const auto add = [&](std::string_view heading, const std::vector<std::string>& all,
                       std::size_t most) {
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i) {
      lines.push_back(one_line(fmt::format("{}: {}", heading, all[i])));
    }
  };
  add("Sure", report.certainty, 4);
  add("Open", report.unknown, 4);
  add("Assumed", report.assumptions, 4);
  for (const auto& [what, command] : report.reproduce) {
    lines.push_back(one_line(fmt::format("{}: {}", what, command)));
  }
  return lines;
}

/// A line for each finding. The first findings show more while there is room.
std::vector<std::string> lines_of_findings(const ReportModel& report, std::size_t room) {
  std::vector<std::string> lines;
  std::size_t waiting = report.findings.size();  // findings that need a line each at least
  for (const ReportFinding& finding : report.findings) {
    if (lines.size() + 2 > room) {
      break;
    }
    --waiting;
    lines.push_back(one_line(finding_line(finding)));
    const std::vector<std::string> below = finding_lines(finding);
    if (lines.size() + below.size() + 1 + waiting + 1 <= room) {
      for (const std::string& line : below) {
        lines.push_back("    " + one_line(line));
      }
      lines.emplace_back();
    }
  }
  const std::size_t left_out = waiting + report.findings_left_out;
  if (left_out > 0) {
    lines.push_back(fmt::format("and {} more", left_out));
  }
  return lines;
}

void append(std::vector<std::string> from, std::vector<std::string>& to) {
  std::ranges::move(from, std::back_inserter(to));
}

}  // namespace

std::string report_text(const ReportModel& report) {
  std::vector<std::string> lines = {one_line(verdict_sentence(report)),
                                    one_line("History: " + report.name)};
  append(level_lines(report), lines);
  lines.emplace_back();
  std::vector<std::string> closing = closing_lines(report);
  append(lines_of_findings(report, kMostLines - lines.size() - closing.size() - 1), lines);
  if (!lines.back().empty()) {
    lines.emplace_back();
  }
  append(std::move(closing), lines);
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

std::string report_markdown(const ReportModel& report) {
  std::string text =
      fmt::format("## {}\n\n`{}`\n\n", markdown(verdict_sentence(report)), markdown(report.name));
  for (const std::string& line : level_lines(report)) {
    text += "- " + markdown(line) + "\n";
  }
  text += "\n";
  const std::size_t share =
      kMostMarkdownBytes / 2 / std::max<std::size_t>(1, report.findings.size());
  for (const ReportFinding& finding : report.findings) {
    text += finding_markdown(finding, share) + "\n";
  }
  for (const std::string& line : closing_lines(report)) {
    text += "- " + markdown(line) + "\n";
  }
  return text;
}

}  // namespace elapid
