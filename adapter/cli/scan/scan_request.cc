#include "adapter/cli/scan/scan_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "adapter/cli/names.h"
#include "adapter/cli/scan/scan_evidence.h"
#include "parsers/find.h"

namespace elapid {
namespace {

constexpr const char* kDefaultColumn = "default";

/// All histories below all folders given, each once.
Status find_all(Scan& scan) {
  for (const std::string& input : scan.request.inputs) {
    Result<FoundHistories> found = find_histories(input);
    if (!found) {
      return std::move(found.error());
    }
    scan.passed_over += found.value().passed_over.size();
    for (std::string& path : found.value().paths) {
      if (std::ranges::find(scan.paths, path) == scan.paths.end()) {
        scan.paths.push_back(std::move(path));
      }
    }
  }
  return {};
}

/// What is written beside the rows.
std::string evidence_settings(const ScanFlags& flags) {
  const CheckFlags& check = flags.check;
  return (flags.write_results ? " --write-results" : "") +
         (check.directory.empty() ? "" : " -d " + check.directory + " " + check.plot_format) +
         (check.no_plots ? " --no-plots" : "") +
         (check.certificate.empty() ? "" : " --certificate " + check.certificate);
}

/// Everything that a row depends on beside the history.
std::string settings_of(const ScanFlags& flags) {
  const CheckFlags& check = flags.check;
  const InputFlags& input = check.input;
  return fmt::format(
             "{}",
             fmt::join({check.consistency_models, check.anomalies, input.format, input.workload,
                        input.initial, check.transaction_order, std::to_string(input.salvage),
                        std::to_string(input.independent), std::to_string(check.elle_compat),
                        std::to_string(check.wfr_keys), std::to_string(check.sequential_keys),
                        std::to_string(check.linearizable_keys),
                        std::to_string(check.cycle_search_timeout_ms),
                        std::to_string(check.work.value_or(0)), check.engine, check.timeout,
                        check.memory},
                       " ")) +
         evidence_settings(flags);
}

/// Requires that the names were looked up before, and found.
ScanLevels find_levels(const CheckFlags& flags) {
  if (flags.consistency_models.empty()) {
    return {.names = {kDefaultColumn}};
  }
  ScanLevels levels = {
      .models = parse_model_list(flags.consistency_models, flags.elle_compat).value(),
      .is_ladder = is_all(flags.consistency_models)};
  for (const NamedModel& level : levels.models) {
    levels.names.push_back(level.name);
  }
  if (levels.names.empty()) {
    levels.names = {"none"};
  }
  return levels;
}

}  // namespace

Result<Scan> make_scan(const ScanFlags& flags) {
  Result<CheckRequest> request = check_request(flags.check);
  if (!request) {
    return request.error();
  }
  Scan scan = {.request = std::move(request).value(),
               .levels = find_levels(flags.check),
               .paths = {},
               .writes_results = flags.write_results,
               .journal = std::nullopt};
  scan.request.job.check.keep_components |= flags.write_results;
  if (Status status = flags.watch ? Status() : find_all(scan); !status.ok()) {
    return std::move(status.error());
  }
  share_threads(scan.paths.size(), scan.request);
  if (scan.request.directory || scan.request.certificate) {
    if (Status status = check_places(scan.paths); !status.ok()) {
      return std::move(status.error());
    }
  }
  if (!flags.resume.empty()) {
    Result<ScanJournal> journal =
        ScanJournal::open(flags.resume, settings_of(flags), scan.levels.names);
    if (!journal) {
      return std::move(journal.error());
    }
    scan.journal = std::move(journal).value();
  }
  return scan;
}

}  // namespace elapid
