#include "adapter/cli/commands/scan/scan_request.h"

#include <fmt/format.h>

#include <fmt/ranges.h>
#include <algorithm>
#include <set>
#include <utility>

#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/options/options.h"
#include "adapter/watch/checksum.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "parsers/find.h"

namespace elapid {
namespace {

// `elapid scan --merge JOURNAL...`: the one table of all shares.
//
//   elapid scan --shard 1/2 --resume 1.journal runs   # on one machine
//   elapid scan --shard 2/2 --resume 2.journal runs   # on another one
//   elapid scan --merge 1.journal 2.journal           # what a scan of runs would print
//
// The journals say what was asked, which shares there are, and whether a share has ended.

/// The state of a share, from one journal or several.
struct ShareState {
  bool has_ended = false;
  std::size_t histories = 0;
  std::size_t passed_over = 0;
  std::size_t noted = 0;  ///< histories that have a row
};

using Shares = std::map<std::size_t, ShareState>;  // by Shard::index

std::string as_list(const std::vector<std::string>& shares) {
  return fmt::format("share{} {}", shares.size() == 1 ? "" : "s", fmt::join(shares, ", "));
}

/// The missing shares, and those that have not ended; empty if there are none.
std::string missing_of(const Shares& shares, std::size_t count) {
  std::vector<std::string> missing;
  std::string begun;
  for (std::size_t index = 1; index <= count; ++index) {
    const auto share = shares.find(index);
    const std::string text = Shard{.index = index, .count = count}.text();
    if (share == shares.end()) {
      missing.push_back(text);
    } else if (!share->second.has_ended || share->second.noted < share->second.histories) {
      begun += fmt::format("Share {} has not ended: {} of {} histories are checked.\n", text,
                           with_commas(share->second.noted), with_commas(share->second.histories));
    }
  }
  return (missing.empty() ? "" : fmt::format("Missing: {}.\n", as_list(missing))) + begun;
}

Error other_than(const std::string& path, const std::string& first, std::string_view what) {
  return {.kind = ErrorKind::kUsage,
          .message = fmt::format("{} than those of {}", what, visible_line(first)),
          .file = path};
}

/// Whether a journal answers the same question as the first one, and divides the histories alike.
Status fits(const ShardNote& note, const ShardNote& first, const std::string& path,
            const std::string& first_path) {
  if (note.question != first.question) {
    return other_than(path, first_path,
                      "its rows answer another question, or are of another version");
  }
  if (note.shard.count != first.shard.count) {
    return other_than(
        path, first_path,
        fmt::format("the histories are divided into other shares ({})", note.shard.text()));
  }
  return {};
}

/// A scan whose rows are known, in the order of the paths, and which shares are missing. A history
/// that is in several journals has the row of the last one. Error: kUsage if the journals answer
/// different questions or divide the histories differently, or if the flags ask a question;
/// otherwise as of read_shard_journal().
Result<Scan> merged_scan(const ScanFlags& flags, CheckRequest request) {
  const std::string asked = answer_words(flags, add_scan_flags);
  if (!asked.empty() || !flags.resume.empty() || !flags.shard.empty() || flags.watch) {
    return usage_error("--merge accepts only journals and -o: the journals contain the question");
  }
  Scan scan = {.request = std::move(request)};
  ShardNote first;
  Shares shares;
  for (const std::string& path : scan.request.inputs) {
    ELAPID_ASSIGN_OR_RETURN(ShardJournal journal, read_shard_journal(path));
    const ShardNote& note = journal.note;
    if (shares.empty()) {
      first = note;
    }
    ELAPID_RETURN_IF_ERROR(fits(note, first, path, scan.request.inputs.front()));
    ShareState& share = shares[note.shard.index];
    share.has_ended |= note.has_ended;
    share.histories = note.histories;
    share.passed_over = note.passed_over;
    for (auto& [history, row] : journal.rows) {
      const bool is_new = scan.merged.insert_or_assign(history, std::move(row)).second;
      share.noted += is_new ? std::size_t{1} : 0;
    }
  }
  ELAPID_ASSIGN_OR_RETURN(scan.levels, scan_levels(first.levels, first.elle_compat));
  for (const auto& [index, share] : shares) {
    scan.passed_over += share.passed_over;
  }
  for (const auto& [history, row] : scan.merged) {
    scan.paths.push_back(history);
  }
  scan.missing = missing_of(shares, first.shard.count);
  return scan;
}

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

/// The question, in words of the command line. A file with the order of transactions is part of it
/// by its content.
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
  ELAPID_ASSIGN_OR_RETURN(CheckRequest request, check_request(flags.check));
  if (flags.merge) {
    return merged_scan(flags, std::move(request));
  }
  ELAPID_ASSIGN_OR_RETURN(ScanLevels levels,
                          scan_levels(flags.check.consistency_models, flags.check.elle_compat));
  Scan scan = {.request = std::move(request),
               .levels = std::move(levels),
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
    ELAPID_RETURN_IF_ERROR(check_places(scan.paths));
  }
  if (!flags.resume.empty()) {
    const std::string question = question_of(flags, scan.request.job.check.assumptions);
    ELAPID_ASSIGN_OR_RETURN(scan.journal,
                            ScanJournal::open(flags.resume, program + question, scan.levels.names));
    if (scan.shard) {
      // Only the program's version counts: its file time differs between machines.
      scan.shard_note = {.shard = *scan.shard,
                         .histories = scan.paths.size(),
                         .passed_over = scan.passed_over,
                         .question = program.substr(0, program.find(' ')) + question,
                         .levels = flags.check.consistency_models,
                         .elle_compat = flags.check.elle_compat};
      ELAPID_RETURN_IF_ERROR(scan.journal->note_shard(scan.shard_note));
    }
  }
  return scan;
}

}  // namespace elapid
