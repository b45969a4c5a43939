#include "adapter/cli/commands/scan/scan_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/commands/scan/scan_merge.h"
#include "adapter/cli/commands/scan/scan_shard.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/options/options.h"
#include "adapter/watch/checksum.h"
#include "parsers/find.h"

namespace elapid {
namespace {

/// All histories of the share below all folders given, each once.
void find_all(Scan& scan) {
  const auto is_ours = [&](const std::string& path) {
    return !scan.shard || scan.shard->has(path);
  };
  std::set<std::string> known;
  for (const std::string& input : scan.request.inputs) {
    FoundHistories found = find_histories(input, is_ours);
    scan.passed_over += static_cast<std::size_t>(std::ranges::count_if(found.passed_over, is_ours));
    for (std::string& path : found.paths) {
      if (is_ours(path) && known.insert(path).second) {
        scan.paths.push_back(std::move(path));
      }
    }
  }
}

/// What was asked, in words of the command line. A file of the order of transactions counts by what
/// it holds.
std::string question_of(const ScanFlags& flags, const Assumptions& assumptions) {
  std::string order;
  for (const auto& [index, place] : assumptions.transaction_order) {
    order += fmt::format("{} {},", index, place);
  }
  return fmt::format("{} {:016x}", answer_words(flags, add_scan_flags), checksum(order, 0));
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
  options
      .value("--shard", "I/N", flags.shard,
             "Check the I-th of N shares, by a hash of the path: the same on all machines")
      .changes_no_answer();
  options
      .flag("--merge", flags.merge,
            "INPUTs are the files of --resume of all shares: print the one table of all")
      .changes_no_answer();
  options.flag("--watch", flags.watch, "Judge the runs of a Jepsen store as they end, until Ctrl-C")
      .changes_no_answer();
}

Result<Scan> make_scan(const ScanFlags& flags, const std::string& program) {
  Result<CheckRequest> request = check_request(flags.check);
  if (!request) {
    return request.error();
  }
  if (flags.merge) {
    return merged_scan(flags, std::move(request).value());
  }
  Scan scan = {
      .request = std::move(request).value(),
      .levels = scan_levels(flags.check.consistency_models, flags.check.elle_compat).value(),
      .writes_results = flags.write_results};
  if (!flags.shard.empty()) {
    Result<Shard> shard = parse_shard(flags.shard);
    if (!shard || flags.watch) {
      return shard ? usage_error("--watch takes all runs, and has no share") : shard.error();
    }
    scan.shard = shard.value();
  }
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
    const std::string question = question_of(flags, scan.request.job.check.assumptions);
    Result<ScanJournal> journal =
        ScanJournal::open(flags.resume, program + question, scan.levels.names);
    if (!journal) {
      return std::move(journal.error());
    }
    scan.journal = std::move(journal).value();
    if (scan.shard) {
      // Of the program the version alone: its file has another time on each machine.
      scan.shard_note = {.shard = *scan.shard,
                         .histories = scan.paths.size(),
                         .passed_over = scan.passed_over,
                         .question = program.substr(0, program.find(' ')) + question,
                         .levels = flags.check.consistency_models,
                         .elle_compat = flags.check.elle_compat};
      if (Status noted = scan.journal->note_shard(scan.shard_note); !noted.ok()) {
        return std::move(noted.error());
      }
    }
  }
  return scan;
}

}  // namespace elapid
