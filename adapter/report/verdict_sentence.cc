#include "adapter/report/verdict_sentence.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <utility>
#include <vector>

#include "adapter/elle/verdict_view.h"
#include "adapter/report/level_states.h"
#include "adapter/report/level_words.h"
#include "engine/levels/ladder.h"

namespace elapid {
namespace {

constexpr std::size_t kMostNamed = 4;  // of keys and levels in the sentence

/// The first words, and the number of the others.
std::string first_of(std::vector<std::string> words) {
  if (words.size() <= kMostNamed) {
    return listed_words(words);
  }
  const std::size_t more = words.size() - kMostNamed + 1;
  words.resize(kMostNamed - 1);
  words.push_back(fmt::format("{} more", more));
  return listed_words(words);
}

/// `G-single (read skew) on keys x and y`, and how many transactions and further anomalies.
std::vector<std::string> first_finding(const ReportModel& report) {
  const ReportFinding& finding = report.findings.front();
  std::string text = finding.name;
  // The part of the gloss in brackets is too long for the sentence.
  const std::string gloss = finding.gloss.substr(0, finding.gloss.find(" ("));
  text += gloss.empty() ? "" : fmt::format(" ({})", gloss);
  if (!finding.keys.empty()) {
    text += fmt::format(" on {}{} {}", finding.key_noun, finding.keys.size() == 1 ? "" : "s",
                        first_of(finding.keys));
  }
  std::vector<std::string> clauses = {std::move(text)};
  if (finding.txn_count > 0) {
    clauses.push_back(
        fmt::format("{} {}{}", finding.txn_count, report.unit, finding.txn_count == 1 ? "" : "s"));
  }
  const std::size_t others = report.findings.size() - 1 + report.findings_left_out;
  if (others > 0) {
    clauses.push_back(others == 1 ? "1 further anomaly"
                                  : fmt::format("{} further anomalies", others));
  }
  return clauses;
}

std::string still_possible(const ReportModel& report) {
  const ModelSet models = strongest_possible(report.levels);
  return fmt::format("strongest level{} still possible: {}", models.count() > 1 ? "s" : "",
                     models.none() ? "none" : first_of(spoken_names(models)));
}

/// The claim of a workload without levels.
std::string judged_words(const Verdict& verdict) {
  return verdict.checked.none() ? "correct" : first_of(spoken_names(verdict.checked));
}

/// The claim that an invalid verdict denies: the weakest violated level of those asked for. No
/// other level may be named.
std::string refused(const Verdict& verdict, const ReportModel& report) {
  const ModelSet levels = refused_levels(verdict);
  if (levels.any()) {
    return first_of(spoken_names(levels)) + (report.by_timestamps ? ", by these timestamps" : "");
  }
  return validity_of_claims(verdict) != Validity::kInvalid ? "available enough"
         : report.asked_of_each                            ? asked_words(report)
         : report.levels.empty()                           ? judged_words(verdict)
                                                           : "free of anomalies";
}

void add_invalid(const Verdict& verdict, ReportModel& report) {
  report.headline = "Not " + refused(verdict, report);
  if (!report.findings.empty()) {
    report.clauses = first_finding(report);
  }
  if (!report.levels.empty()) {
    report.clauses.push_back(still_possible(report));
    const bool is_complete = verdict.complete && left_open(verdict, report.levels).none();
    report.clauses.emplace_back(is_complete ? "complete check"
                                            : "more levels may be violated than are shown");
  }
}

void add_valid(const Verdict& verdict, ReportModel& report) {
  if (report.levels.empty()) {
    report.headline = judged_words(verdict);
    report.headline.front() = static_cast<char>(std::toupper(report.headline.front()));
  } else if (report.asked_all) {
    const ModelSet best = strongest_of(levels_in(LevelState::kHolds, report.levels));
    report.headline = "Valid";
    report.clauses.push_back(best.none() ? "no level is violated" : first_of(spoken_names(best)));
  } else if (report.asked.empty()) {
    report.headline = "Valid";
    report.clauses = {"no level was asked about", "no anomaly was found"};
  } else if (verdict.complete) {
    report.headline = "Valid: " + asked_words(report);
    report.clauses.emplace_back("complete check");
  } else {
    report.headline = "No violation of " + asked_words(report) + " found";
    report.clauses.emplace_back(
        "no proof either, since only a part of the order of versions shows");
  }
}

void add_unknown(const Verdict& verdict, ReportModel& report) {
  report.headline =
      "Unknown whether " + (report.levels.empty() ? judged_words(verdict) : asked_words(report));
  std::string because =
      verdict.elle_error.value_or(verdict.unknown_because.value_or("a limit was reached"));
  if (because.ends_with('.')) {
    because.pop_back();
  }
  report.clauses.push_back(std::move(because));
}

}  // namespace

void add_sentence(const Verdict& verdict, ReportModel& report) {
  switch (report.validity) {
    case Validity::kInvalid:
      return add_invalid(verdict, report);
    case Validity::kValid:
      return add_valid(verdict, report);
    case Validity::kUnknown:
      return add_unknown(verdict, report);
  }
}

std::string verdict_sentence(const ReportModel& report) {
  return report.clauses.empty()
             ? report.headline + "."
             : fmt::format("{}: {}.", report.headline, fmt::join(report.clauses, "; "));
}

std::string asked_words(const ReportModel& report) {
  if (report.levels.empty()) {
    return "";
  }
  return report.asked_of_each
             ? fmt::format("every transaction at its own level ({})", first_of(report.asked))
         : report.asked_all     ? "all levels"
         : report.asked.empty() ? "free of anomalies"
                                : first_of(report.asked);
}

}  // namespace elapid
