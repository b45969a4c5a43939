#include "adapter/cli/commands/scan/scan_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "adapter/cli/reports/csv.h"
#include "adapter/cli/reports/junit.h"
#include "adapter/elle/ladder_text.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "engine/levels/validity.h"
#include "engine/workloads/table.h"
#include "parsers/door/availability.h"

namespace elapid {
namespace {

constexpr std::size_t kFormatWidth = 16;
constexpr std::size_t kWorkloadWidth = 12;
constexpr std::size_t kNumberWidth = 12;
constexpr std::size_t kSecondsWidth = 9;
constexpr std::size_t kScreenWidth = 80;  // of the rows of a ladder
constexpr std::size_t kLadderIndent = 20;
constexpr std::string_view kNotRead = "-";

/// Columns for a verdict are at least as wide as `unknown`.
std::size_t width_of(const std::string& level) {
  return std::max<std::size_t>(level.size(), 7);
}

std::string_view or_dash(const std::string& text) {
  return text.empty() ? kNotRead : std::string_view(text);
}

std::string not_checked(const ScanRow& row) {
  return "not checked: " + visible_line(row.problem);
}

/// A line that is folded at the width of the screen.
std::string folded_line(std::string_view line) {
  std::string out;
  while (line.size() > kScreenWidth) {
    const std::size_t blank = line.rfind(' ', kScreenWidth);
    if (blank == std::string_view::npos || blank <= kLadderIndent) {
      break;
    }
    out += fmt::format("{}\n{:{}}", line.substr(0, blank), "", out.empty() ? kLadderIndent : 0);
    line.remove_prefix(blank + 1);
  }
  return out + std::string(line) + "\n";
}

/// The standing of the history, from the words of its columns.
std::vector<Standing> standings(const ScanRow& row, const ScanLevels& levels) {
  std::vector<Standing> ladder;
  for (std::size_t i = 0; i < row.verdicts.size(); ++i) {
    for (const Validity validity : {Validity::kValid, Validity::kInvalid, Validity::kUnknown}) {
      if (row.verdicts[i] == validity_word(validity)) {
        ladder.push_back({.model = levels.models[i].model, .validity = validity});
      }
    }
  }
  return ladder;
}

/// Whether too few of the file's operations succeeded.
bool is_unavailable(const ScanRow& row) {
  return std::ranges::find(row.anomalies, kUnavailable) != row.anomalies.end();
}

/// The verdict on all that is demanded.
std::string verdict_of(const ScanRow& row) {
  std::string all = is_unavailable(row) ? "invalid" : row.problem.empty() ? "valid" : "-";
  for (const std::string& verdict : row.verdicts) {
    all = together(all, verdict);
  }
  return all;
}

/// What failed beside the columns, where one names it.
std::vector<JUnitCase> further_cases(const ScanRow& row) {
  std::vector<JUnitCase> cases;
  const auto add = [&](bool has_failed, std::string name, std::string message) {
    if (has_failed) {
      cases.push_back({.name = std::move(name),
                       .outcome = JUnitOutcome::kFailed,
                       .message = std::move(message)});
    }
  };
  add(is_unavailable(row), "availability", std::string(kUnavailable));
  add(row.code == ExitCode::kLint, "lint", "there are findings of elapid lint");
  add(row.code == ExitCode::kVacuous, "contention", "vacuous");
  return cases;
}

/// A case for each column, or one error; and what failed beside them.
JUnitSuite junit_suite(const ScanRow& row, const std::vector<std::string>& levels) {
  JUnitSuite suite = {.name = row.path};
  for (std::size_t i = 0; i < row.verdicts.size(); ++i) {
    JUnitCase one = {.name = levels[i], .outcome = JUnitOutcome::kError, .message = row.problem};
    for (const Validity validity : {Validity::kValid, Validity::kInvalid, Validity::kUnknown}) {
      if (row.verdicts[i] == validity_word(validity)) {
        one.outcome = junit_outcome(validity);
      }
    }
    if (one.outcome == JUnitOutcome::kFailed) {
      one.message = fmt::format("{}", fmt::join(row.anomalies, ", "));
      one.text = i < row.explanations.size() ? row.explanations[i] : "";
    }
    suite.cases.push_back(std::move(one));
  }
  if (suite.cases.empty()) {
    suite.cases.push_back(
        {.name = "check", .outcome = JUnitOutcome::kError, .message = row.problem});
  }
  suite.cases.front().seconds = row.seconds;
  const auto is_explained = [](const JUnitCase& one) { return !one.text.empty(); };
  const auto explanation =
      std::ranges::find_if(row.explanations, [](const std::string& text) { return !text.empty(); });
  std::vector<JUnitCase> further = further_cases(row);
  if (!further.empty() && explanation != row.explanations.end() &&
      std::ranges::none_of(suite.cases, is_explained)) {
    further.front().text = *explanation;
  }
  std::ranges::move(further, std::back_inserter(suite.cases));
  return suite;
}

}  // namespace

std::string together(const std::string& a, const std::string& b) {
  for (const char* graver : {"invalid", "-", "unknown"}) {
    if (a == graver || b == graver) {
      return graver;
    }
  }
  return "valid";
}

bool is_verdict(std::string_view word) {
  return word == "valid" || word == "invalid" || word == "unknown" || word == "-";
}

std::string row_map(const ScanRow& row, const std::vector<std::string>& levels, Syntax syntax) {
  DocumentWriter out(syntax);
  out.open(Container::kMap);
  out.key("path").string(row.path);
  out.key("format").string(row.format);
  out.key("workload").string(row.workload);
  out.key("transactions").integer(row.transactions);
  out.key("verdicts").open(Container::kMap);
  for (std::size_t i = 0; i < row.verdicts.size(); ++i) {
    out.key(levels[i]).string(row.verdicts[i]);
  }
  out.close();
  out.key("anomalies").strings(row.anomalies);
  out.key("seconds").form(fmt::format("{:.3f}", row.seconds));
  out.key("problem").string(row.problem);
  out.key("exit-code").integer(static_cast<std::int64_t>(row.code));
  out.close();
  return std::move(out).take();
}

Result<ScanLevels> scan_levels(const std::string& names, bool elle_compat) {
  if (names.empty() || names == kByTransaction) {
    return ScanLevels{.names = {names.empty() ? "default" : names}};
  }
  ELAPID_ASSIGN_OR_RETURN(std::vector<NamedModel> models, parse_model_list(names, elle_compat));
  ScanLevels levels = {.models = std::move(models), .is_ladder = is_all(names)};
  for (const NamedModel& level : levels.models) {
    levels.names.push_back(level.name);
  }
  if (levels.names.empty()) {
    levels.names = {"none"};
  }
  return levels;
}

CiHistory noted_history(const ScanRow& row, const ScanLevels& levels) {
  CiHistory told{.path = row.path, .message = row.problem, .place = {.file = row.path}};
  const std::string verdict = verdict_of(row);
  for (const Validity validity : {Validity::kValid, Validity::kInvalid, Validity::kUnknown}) {
    if (!row.verdicts.empty() && verdict == validity_word(validity)) {
      told.validity = validity;
    }
  }
  for (std::size_t i = 0; i < row.verdicts.size(); ++i) {
    if (row.verdicts[i] == verdict) {
      told.levels += (told.levels.empty() ? "" : ", ") + levels.names[i];
    }
  }
  for (const std::string& anomaly : row.anomalies) {
    if (told.validity == Validity::kInvalid) {
      told.findings.push_back(
          {.rule = anomaly, .text = "found by an earlier scan; elapid check tells more\n"});
    }
  }
  return told;
}

ScanTable::ScanTable(OutputFormat form, const std::vector<std::string>& paths,
                     const ScanLevels& levels)
    : form_(form), levels_(levels), path_width_(4) {
  for (const std::string& path : paths) {
    path_width_ = std::max(path_width_, visible_line(path).size());
  }
}

std::string ScanTable::next(const ScanRow& row) {
  count(row);
  const bool is_first = rows_++ == 0;
  switch (form_) {
    case OutputFormat::kEdn:
      return (is_first ? "[" : "\n ") + row_map(row, levels_.names, Syntax::kEdn);
    case OutputFormat::kJson:
      return (is_first ? "[" : ",\n ") + row_map(row, levels_.names, Syntax::kJson);
    case OutputFormat::kJsonl:
      return row_map(row, levels_.names, Syntax::kJson) + "\n";
    case OutputFormat::kCsv:
      return (is_first ? header() : "") + csv_row(row);
    case OutputFormat::kJunit:
      return (is_first ? std::string(junit_begin()) : "") + to_xml(junit_suite(row, levels_.names));
    case OutputFormat::kSarif:
    case OutputFormat::kGithub:
      return "";
    case OutputFormat::kText:
      break;
  }
  return levels_.is_ladder ? ladder_row(row) : (is_first ? header() : "") + text_row(row);
}

std::string ScanTable::end(std::size_t passed_over) {
  switch (form_) {
    case OutputFormat::kEdn:
    case OutputFormat::kJson:
      return rows_ == 0 ? "[]\n" : "]\n";
    case OutputFormat::kJsonl:
      return "";
    case OutputFormat::kCsv:
      return rows_ == 0 ? header() : "";
    case OutputFormat::kJunit:
      return std::string(rows_ == 0 ? junit_begin() : "") + std::string(junit_end());
    case OutputFormat::kSarif:
    case OutputFormat::kGithub:
      return "";
    case OutputFormat::kText:
      break;
  }
  return fmt::format("{} {}: {} valid, {} invalid, {} unknown, {} unreadable; {} {} passed over\n",
                     with_commas(rows_), rows_ == 1 ? "history" : "histories",
                     with_commas(counts_.valid), with_commas(counts_.invalid),
                     with_commas(counts_.unknown), with_commas(counts_.unreadable),
                     with_commas(passed_over), passed_over == 1 ? "file" : "files") +
         initial_hints();
}

std::string ScanTable::initial_hints() const {
  std::string out;
  for (const auto& [initial, count] : initials_) {
    out += fmt::format(
        "In {0} of them each read of a value that no transaction wrote shows {1}: did you mean "
        "--initial "
        "{1}?\n",
        with_commas(count), initial);
  }
  return out;
}

void ScanTable::count(const ScanRow& row) {
  if (!row.initial.empty()) {
    ++initials_[visible_line(row.initial)];
  }
  const std::string all = verdict_of(row);
  ++(all == "invalid"   ? counts_.invalid
     : all == "unknown" ? counts_.unknown
     : all == "valid"   ? counts_.valid
                        : counts_.unreadable);
}

std::string ScanTable::header() const {
  if (form_ == OutputFormat::kCsv) {
    std::string out = "path,format,workload,transactions";
    for (const std::string& level : levels_.names) {
      out += "," + csv_field(level);
    }
    return out + ",anomalies,seconds,problem,exit-code\n";
  }
  std::string out =
      fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>{}}", "path", path_width_, "format", kFormatWidth,
                  "workload", kWorkloadWidth, "transactions", kNumberWidth);
  for (const std::string& level : levels_.names) {
    out += fmt::format("  {:<{}}", level, width_of(level));
  }
  return out + fmt::format("  {:>{}}  anomalies\n", "seconds", kSecondsWidth);
}

std::string ScanTable::text_row(const ScanRow& row) const {
  std::string out = fmt::format(
      "{:<{}}  {:<{}}  {:<{}}  {:>{}}", visible_line(row.path), path_width_, or_dash(row.format),
      kFormatWidth, or_dash(row.workload), kWorkloadWidth, row.transactions, kNumberWidth);
  for (std::size_t i = 0; i < levels_.names.size(); ++i) {
    out += fmt::format("  {:<{}}", i < row.verdicts.size() ? row.verdicts[i] : kNotRead,
                       width_of(levels_.names[i]));
  }
  const std::string last =
      row.problem.empty() ? fmt::format("{}", fmt::join(row.anomalies, " ")) : not_checked(row);
  out += fmt::format("  {:>{}.3f}  {}", row.seconds, kSecondsWidth, last);
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

/// Some forty columns fit on no screen: the strongest levels that hold and the weakest that are
/// violated say as much.
std::string ScanTable::ladder_row(const ScanRow& row) const {
  std::string out = visible_line(row.path) + "\n";
  if (!row.problem.empty()) {
    return out + "  " + not_checked(row) + "\n";
  }
  out += fmt::format("  {}, {}, {} transactions, {:.3f} s\n", row.format, row.workload,
                     with_commas(row.transactions), row.seconds);
  const std::optional<Workload> workload = find_workload(row.workload);
  const bool has_levels = !workload || workload->has_levels() || row_of(*workload).infer != nullptr;
  const std::string summary = has_levels
                                  ? ladder_summary(standings(row, levels_))
                                  : fmt::format("  {:<18}{}\n", "verdict", row.verdicts.front());
  for (std::string_view rest = summary; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(line.size() + 1);
    out += folded_line(line);
  }
  return row.anomalies.empty() ? out
                               : out + folded_line(fmt::format("  {:<18}{}", "anomalies",
                                                               fmt::join(row.anomalies, ", ")));
}

std::string ScanTable::csv_row(const ScanRow& row) const {
  std::string out = fmt::format("{},{},{},{}", csv_field(row.path), csv_field(row.format),
                                csv_field(row.workload), row.transactions);
  for (std::size_t i = 0; i < levels_.names.size(); ++i) {
    out += fmt::format(",{}", i < row.verdicts.size() ? row.verdicts[i] : "");
  }
  return out + fmt::format(",{},{:.3f},{},{}\n", fmt::join(row.anomalies, " "), row.seconds,
                           csv_field(row.problem), static_cast<int>(row.code));
}

}  // namespace elapid
