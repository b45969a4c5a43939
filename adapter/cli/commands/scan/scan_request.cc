#include "adapter/cli/commands/scan/scan_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/options/options.h"
#include "adapter/watch/checksum.h"
#include "parsers/find.h"

namespace elapid {
namespace {

constexpr const char* kDefaultColumn = "default";

/// All histories below all folders given, each once.
void find_all(Scan& scan) {
  for (const std::string& input : scan.request.inputs) {
    FoundHistories found = find_histories(input);
    scan.passed_over += found.passed_over.size();
    for (std::string& path : found.paths) {
      if (std::ranges::find(scan.paths, path) == scan.paths.end()) {
        scan.paths.push_back(std::move(path));
      }
    }
  }
}

/// Everything that a row depends on beside the history. A file of the order of transactions counts
/// by what it holds.
std::string settings_of(const ScanFlags& flags, const Assumptions& assumptions,
                        const std::string& program) {
  std::string order;
  for (const auto& [index, place] : assumptions.transaction_order) {
    order += fmt::format("{} {},", index, place);
  }
  return fmt::format("{}{} {:016x}", program, answer_words(flags, add_scan_flags),
                     checksum(order, 0));
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

void add_scan_flags(Options& options, ScanFlags& flags) {
  add_check_flags(options, flags.check);
  options.at("--certificate")
      .means("DIR", "Write the proofs of each history's answers below it, for elapid certify");
  options.at("--directory").means("DIR", "Write evidence files of each history below it");
  options.at("--output")
      .means("FORM",
             "text (default), edn, json, jsonl (a map a line) or csv; for CI systems junit (XML), "
             "sarif (JSON for code scanning) or github (annotations)")
      .one_of({"text", "edn", "json", "jsonl", "csv", "junit", "sarif", "github"});
  options
      .value("--resume", "FILE", flags.resume,
             "Note finished histories in FILE, and do not check those again that it has")
      .changes_no_answer();
  options.flag(
      "--write-results", flags.write_results,
      "Write results.edn, summary.txt and evidence into the folder elapid of each run of a "
      "Jepsen store");
  options.flag("--watch", flags.watch, "Judge the runs of a Jepsen store as they end, until Ctrl-C")
      .changes_no_answer();
}

Result<Scan> make_scan(const ScanFlags& flags, const std::string& program) {
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
  if (!flags.watch) {
    find_all(scan);
  }
  share_threads(scan.paths.size(), scan.request);
  if (scan.request.directory || scan.request.certificate) {
    if (Status status = check_places(scan.paths); !status.ok()) {
      return std::move(status.error());
    }
  }
  if (!flags.resume.empty()) {
    Result<ScanJournal> journal = ScanJournal::open(
        flags.resume, settings_of(flags, scan.request.job.check.assumptions, program),
        scan.levels.names);
    if (!journal) {
      return std::move(journal.error());
    }
    scan.journal = std::move(journal).value();
  }
  return scan;
}

}  // namespace elapid
