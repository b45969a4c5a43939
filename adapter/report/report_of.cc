#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "adapter/elle/verdict_view.h"
#include "adapter/report/faults.h"
#include "adapter/report/finding_model.h"
#include "adapter/report/level_states.h"
#include "adapter/report/level_words.h"
#include "adapter/report/overview.h"
#include "adapter/report/report.h"
#include "adapter/report/report_model.h"
#include "adapter/report/verdict_sentence.h"
#include "adapter/source/source_words.h"
#include "engine/evidence/describe.h"
#include "engine/ir/utf8.h"
#include "engine/levels/ladder.h"
#include "engine/rows/words.h"
#include "engine/verdict/verdict.h"
#include "parsers/door/door.h"
#include "parsers/read.h"

namespace elapid {
namespace {

// The notes of a report beside its findings: how sure the verdict is, what stays unknown, what was
// assumed, and what is in the history.

bool has_evidence(const Verdict& verdict) {
  return !verdict.anomalies.empty() || !verdict.levels.empty();
}

/// Whether the evidence is an exhausted search, which only another search could verify.
bool rests_on_search(const Verdict& verdict) {
  return std::ranges::any_of(verdict.anomalies, [](const Anomaly& anomaly) {
    return std::holds_alternative<NoOrderEvidence>(anomaly.evidence);
  });
}

void add_clocks(const Verdict& verdict, std::string_view clock_skew,
                std::vector<std::string>& lines) {
  if (!verdict.timestamps) {
    return;
  }
  lines.emplace_back(
      "The check trusts the database's timestamps: a violation contradicts their order, and "
      "another order may satisfy the same levels.");
  if (verdict.timestamps->within_clock_skew > 0) {
    lines.push_back(
        fmt::format("{} of the violations may be errors of the clocks ({}); they decide nothing.",
                    verdict.timestamps->within_clock_skew, clock_skew));
  }
  if (verdict.cross_check) {
    lines.emplace_back(*verdict.cross_check == Validity::kValid
                           ? "Cross-check: another order satisfies the levels, so the timestamps "
                             "are wrong, not the reads and writes."
                       : *verdict.cross_check == Validity::kInvalid
                           ? "Cross-check: no order satisfies the levels."
                           : "Cross-check: whether some other order satisfies the levels is "
                             "unknown.");
  }
}

std::string status_text(const History& history) {
  const HistorySize size = history.size_read();
  const auto& counts = size.by_status;
  constexpr std::array<std::string_view, 3> kWords = {"committed", "aborted", "indeterminate"};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts.at(i) > 0) {
      parts.push_back(fmt::format("{} {}", counts.at(i), kWords.at(i)));
    }
  }
  return parts.size() == 1 ? parts.front()
                           : fmt::format("{}: {}", size.transactions(), listed_words(parts));
}

std::string place_of(LoadedHistory& loaded, SourceLines& lines, SourcePosition position,
                     std::size_t most) {
  const std::string& file = lines.file(position);
  return loaded.has_lines() ? shortened(file, most) + ":" + std::to_string(lines.line(position))
                            : shortened(file, most);
}

/// The certainty of the verdict: how the evidence was verified, whether the check is complete, what
/// depends on clocks. `open`: levels asked about and not decided.
std::vector<std::string> certainty_of(const Verdict& verdict, ModelSet open,
                                      std::string_view clock_skew) {
  std::vector<std::string> lines;
  if (!verdict.warnings.empty()) {
    lines.emplace_back(
        "Verified again: no. Some evidence did not survive its second check; Elle's answer is "
        "given as it is.");
    lines.insert(lines.end(), verdict.warnings.begin(), verdict.warnings.end());
  } else if (rests_on_search(verdict)) {
    lines.emplace_back(
        "Verified again: in part. That no order exists is what a search of all orders found; only "
        "another search could verify that.");
  } else if (has_evidence(verdict)) {
    lines.emplace_back(
        "Verified again: yes. Code that shares nothing with the engine checked each piece of "
        "evidence against the operations.");
  }
  lines.emplace_back(verdict.complete && open.none()
                         ? "Complete: nothing that was asked is left open."
                         : "Not complete: what was found is certain, and there may be more; see "
                           "what stays unknown.");
  lines.push_back(fmt::format("Decided by the engine {}.", verdict.engine));
  add_clocks(verdict, clock_skew, lines);
  return lines;
}

/// What was not decided, the reason, and what helps; empty if everything was decided.
std::vector<std::string> unknown_of(const Verdict& verdict, ModelSet open,
                                    const ReportOptions& options) {
  std::vector<std::string> lines;
  if (verdict.elle_error) {
    lines.push_back("Elle stops here with an error: " + *verdict.elle_error);
  }
  if (verdict.unknown_because) {
    lines.push_back("Undecided, because: " + *verdict.unknown_because);
  }
  for (const Anomaly& anomaly : verdict.anomalies) {
    const auto* timeout = std::get_if<SearchTimeoutEvidence>(&anomaly.evidence);
    if (timeout != nullptr && !verdict.complete) {
      lines.push_back(
          fmt::format("The search for {} ended at its limit in a component of {} transactions.",
                      name(timeout->searching), timeout->component_size));
    }
  }
  open |= models_that_are(Validity::kUnknown, verdict.ladder);
  if (open.any()) {
    lines.push_back(fmt::format("Levels left open: {}.", listed_words(spoken_names(open))));
  }
  if (verdict.validity == Validity::kValid && !verdict.complete && lines.empty() &&
      verdict.checked.any()) {
    lines.emplace_back(
        "Reads of registers show only a part of the order of versions: no violation follows from "
        "what is known, which is no proof that there is none.");
  }
  if (!lines.empty() && !options.more_budget.empty()) {
    lines.push_back("What helps: " + options.more_budget);
  }
  return lines;
}

/// The contents of the history. Linear in its transactions.
std::vector<ReportFact> facts_of(const LoadedHistory& loaded) {
  const History& history = loaded.history();
  const HistoryInfo& info = history.info();
  const HistorySize size = history.size_read();
  const bool has_transactions = history.workload().has_transactions();
  std::vector<ReportFact> facts = {
      {"format", text(loaded.format())},
      {"workload", std::string(history.workload().name())},
      {has_transactions ? "transactions" : "operations", status_text(history)},
      info.rows ? ReportFact{"rows", rows::extent_words(*info.rows, rows::named_rows(history))}
                : ReportFact{"keys", std::to_string(size.keys)},
      {"sessions", std::to_string(size.sessions)},
      {"bytes", std::to_string(info.source_bytes)},
  };
  if (has_transactions) {
    facts.insert(facts.begin() + 3, {"operations", std::to_string(size.operations)});
  }
  const auto add_rule = [&](std::string name, std::string_view rule) {
    if (!rule.empty()) {
      facts.emplace_back(std::move(name), rule);
    }
  };
  add_rule("keys hold at first", info.rules.initial);
  add_rule("a read names its write", info.rules.reads);
  add_rule("aborted transactions", info.rules.aborted);
  add_rule("indeterminate ones", info.rules.indeterminate);
  add_rule("real time", info.has_real_time ? "the order of events" : "not recorded");
  if (info.nemesis) {
    facts.emplace_back("events of the nemesis", std::to_string(info.nemesis->count));
  }
  return facts;
}

/// Adds the first remarks of the reader, and the number of the others.
void add_remarks(LoadedHistory& loaded, const ReportLimits& limits, ReportModel& report) {
  const std::vector<Remark>& remarks = loaded.history().info().remarks;
  const std::size_t shown = std::min(remarks.size(), limits.remarks);
  SourceLines lines(loaded);
  for (std::size_t i = 0; i < shown && loaded.has_lines(); ++i) {
    lines.want(remarks[i].position);
  }
  for (std::size_t i = 0; i < shown; ++i) {
    report.remarks.push_back(
        {.place = place_of(loaded, lines, remarks[i].position, limits.name_bytes),
         .text = shortened(remarks[i].message, limits.text_bytes)});
  }
  report.remarks_left_out = remarks.size() - shown;
}

/// Whether the finding is shown. The end of a search stands under the open questions instead.
bool is_shown(const Finding& finding) {
  return finding.description.name != name(AnomalyType::kCycleSearchTimeout);
}

void add_findings(LoadedHistory& loaded, const Verdict& verdict, const ReportOptions& options,
                  ReportModel& report) {
  const History& history = loaded.history();
  const std::shared_ptr<const NemesisLog>& nemesis = history.info().nemesis;
  const std::vector<ReportFault> faults =
      nemesis ? faults_of(*nemesis) : std::vector<ReportFault>();
  SourceWords words(loaded);
  const TextOptions text = with_source(loaded, verdict, {.clock_skew = options.clock_skew}, words);
  FindingTeller teller(loaded, words, text, options.limits, faults);
  std::vector<Finding> shown = findings(history, verdict);
  std::erase_if(shown, [](const Finding& finding) { return !is_shown(finding); });
  const std::size_t count = std::min(shown.size(), options.limits.findings);
  report.findings_left_out = shown.size() - count;
  shown.resize(count);
  for (const Finding& finding : shown) {
    report.findings.push_back(teller.tell(finding, report.findings.size(), report.by_timestamps));
  }
  const Result<std::vector<ClockOffset>> offsets = clock_offsets_of(loaded);
  report.overview = overview_of(history, verdict, shown, faults,
                                offsets ? offsets.value() : std::vector<ClockOffset>());
}

}  // namespace

ReportModel report_of(LoadedHistory& loaded, const Verdict& verdict, const ReportOptions& options) {
  const bool has_levels = loaded.history().workload().has_levels();
  std::vector<ReportLevel> levels;
  if (has_levels) {
    levels = level_states(verdict, loaded.history().workload());
  }
  const ModelSet open = left_open(verdict, levels);
  ReportModel report{
      .name = shortened(label_of(options.path, loaded), 4 * options.limits.name_bytes),
      .unit = loaded.history().workload().has_transactions() ? "transaction" : "operation",
      .validity = verdict.validity,
      .asked = spoken_names(verdict.checked),
      .asked_all = !verdict.ladder.empty(),
      .asked_of_each = is_mix(verdict),
      .levels = std::move(levels),
      .by_timestamps = verdict.timestamps.has_value(),
      .opinions = options.opinions,
      .certainty = certainty_of(verdict, open, options.clock_skew),
      .unknown = unknown_of(verdict, open, options),
      .assumptions = assumed(loaded.history(), verdict),
      .facts = facts_of(loaded),
      .reproduce = options.reproduce,
      .origin = options.origin};
  report.origin.insert(report.origin.begin(), {"elapid", options.version});
  add_findings(loaded, verdict, options, report);
  add_remarks(loaded, options.limits, report);
  add_sentence(verdict, report);
  return report;
}

}  // namespace elapid
