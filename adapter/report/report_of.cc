#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "adapter/report/faults.h"
#include "adapter/report/finding_model.h"
#include "adapter/report/level_states.h"
#include "adapter/report/level_words.h"
#include "adapter/report/overview.h"
#include "adapter/report/report.h"
#include "adapter/report/report_notes.h"
#include "adapter/report/verdict_sentence.h"
#include "adapter/source/source_words.h"
#include "engine/evidence/describe.h"
#include "engine/ir/utf8.h"
#include "parsers/door/door.h"

namespace elapid {
namespace {

/// What says only that a search ended is no finding: it stands under what stays unknown.
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
  ReportModel report{
      .name = shortened(label_of(options.path, loaded), 4 * options.limits.name_bytes),
      .unit = loaded.history().workload().has_transactions() ? "transaction" : "operation",
      .validity = verdict.validity,
      .asked = spoken_names(verdict.checked),
      .asked_all = !verdict.ladder.empty(),
      .by_timestamps = verdict.timestamps.has_value(),
      .opinions = options.opinions,
      .certainty = certainty_of(verdict, options.clock_skew),
      .unknown = unknown_of(verdict, options),
      .assumptions = assumptions_of(loaded.history(), verdict),
      .facts = facts_of(loaded),
      .reproduce = options.reproduce,
      .origin = options.origin};
  report.origin.insert(report.origin.begin(), {"elapid", options.version});
  if (has_levels) {
    report.levels = level_states(verdict);
  }
  add_findings(loaded, verdict, options, report);
  add_remarks(loaded, options.limits, report);
  add_sentence(verdict, report);
  return report;
}

}  // namespace elapid
