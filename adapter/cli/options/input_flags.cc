#include "adapter/cli/options/input_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <iterator>
#include <utility>

#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "engine/ir/visible.h"
#include "engine/workloads/table.h"
#include "parsers/find.h"
#include "parsers/formats.h"

namespace elapid {

void add_reading_flags(Options& options, InputFlags& flags) {
  options
      .argument("INPUT", flags.inputs,
                "Files, directories (a run, or a folder of histories), or - for standard input; "
                "gzip and zstd too")
      .required()
      .changes_no_answer();
  options.begin_group("How to read");
  options
      .value("-f,--format", "NAME", flags.format,
             "edn, json, jepsen, cobra, dbcop, ... (see docs/formats.md); otherwise detected")
      .proposes(format_names());
  options
      .value("-m,--model", "NAME", flags.workload,
             fmt::format("Workload: {}; otherwise inferred from the operations",
                         fmt::join(checked_workloads(), ", ")))
      .proposes(checked_workloads());
  options.value("--initial", "VALUE", flags.initial,
                "Value of keys before the first write, as EDN (default: the format's own)");
  options.flag("--salvage", flags.salvage,
               "Take the whole transactions before a break in a damaged file, with a warning");
  options.value("--max-line", "BYTES", flags.max_line,
                "The longest line, or operation, that is read; longer ones are errors (default "
                "1G)");
  options
      .number("-j,--threads", "N", flags.threads,
              "Inputs worked on at once (default: one a core); the output does not depend on it",
              {.least = 1, .most = 4096})
      .changes_no_answer();
}

void add_input_flags(Options& options, InputFlags& flags) {
  add_reading_flags(options, flags);
  options.flag("--independent", flags.independent,
               "Values are [key value] tuples: each key is a history of its own");
  options.begin_group("What to say");
  options.value("-o,--output", "FORM", flags.output, "text (default), edn or json")
      .one_of({"text", "edn", "json"})
      .changes_no_answer();
}

void add_fail_on(Options& options, std::string& value) {
  options
      .value("--fail-on", "LIST", value,
             "invalid (exit 1) and unknown (exit 2) always fail; lint: findings fail too (3); "
             "vacuous: so does a history that could show little (4)")
      .proposes({"invalid", "unknown", "lint", "vacuous"});
}

Result<ReadOptions> read_options(const InputFlags& flags) {
  ReadOptions options;
  if (!flags.format.empty()) {
    ELAPID_ASSIGN_OR_RETURN(options.format, parse_format(flags.format));
  }
  if (!flags.workload.empty()) {
    ELAPID_ASSIGN_OR_RETURN(options.workload, parse_workload(flags.workload));
  }
  if (!flags.initial.empty()) {
    options.initial = flags.initial;
  }
  if (!flags.max_line.empty()) {
    ELAPID_ASSIGN_OR_RETURN(options.longest_line, parse_line_length(flags.max_line));
  }
  options.salvage = flags.salvage;
  options.independent = flags.independent;
  options.words = kReadFlags;
  return options;
}

Result<std::vector<std::string>> histories_below(const std::string& input) {
  FoundHistories found = find_histories(input);
  if (found.paths.empty()) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "is a directory without a history in a format that is known",
                 .file = input};
  }
  return std::move(found.paths);
}

Result<std::vector<std::string>> histories_named(const InputFlags& flags) {
  const std::optional<FormatName> format = find_format(flags.format);
  if (format && format->format->is_directory) {
    return flags.inputs;
  }
  std::vector<std::string> paths;
  for (const std::string& input : flags.inputs) {
    ELAPID_ASSIGN_OR_RETURN(std::vector<std::string> found, histories_below(input));
    std::ranges::move(found, std::back_inserter(paths));
  }
  return paths;
}

std::size_t thread_count(const InputFlags& flags) {
  return flags.threads == 0 ? default_threads() : flags.threads;
}

OutputFormat output_format(const InputFlags& flags) {
  return output_format(flags.output);
}

Observer observer(const std::string& path, Progress& progress) {
  return {.reading = [&](std::uint64_t done,
                         std::uint64_t total) { return progress.reading(path, done, total); },
          .checking = [&](std::string_view stage) { return progress.stage(path, stage); }};
}

Result<LoadedHistory> read_input(const std::string& path, ReadOptions options, Progress& progress) {
  ELAPID_ASSIGN_OR_RETURN(std::vector<LoadedHistory> all, read_inputs(path, options, progress));
  const std::string key = all.front().key();
  if (key.empty()) {
    return std::move(all.front());
  }
  const Error several = {.kind = ErrorKind::kUsage,
                         .message = fmt::format("expected one history, found one for each "
                                                "independent key: [key {}] is the first of {}",
                                                key, all.size()),
                         .file = path};
  if (!can_be_reread(path)) {
    return several;
  }
  all.clear();  // the whole takes as much memory again
  options.progress = observer(path, progress).reading;
  Result<LoadedHistory> whole = read_history(path, options);
  return whole && whole.value().history().workload().has_transactions() ? several
                                                                        : std::move(whole);
}

Result<std::vector<LoadedHistory>> read_inputs(const std::string& path, ReadOptions options,
                                               Progress& progress) {
  options.progress = observer(path, progress).reading;
  return read_histories(path, options);
}

std::string salvage_warnings(const std::string& path, const History& history) {
  std::string warnings;
  for (const Remark& remark : history.info().remarks) {
    if (remark.kind == Remark::Kind::kSalvaged) {
      warnings += fmt::format("elapid: warning: {}: byte {}: {}\n", visible_line(path),
                              remark.position.offset, visible_line(remark.message));
    }
  }
  return warnings;
}

void add_failed_cas_flag(Options& options, std::string& how) {
  options
      .value("--failed-cas", "HOW", how,
             "What a compare-and-set that failed tells: drop, nothing; witness, that the value was "
             "another (default: as the format says; Porcupine's are witnesses)")
      .one_of({"drop", "witness"});
}

FailedCas failed_cas_of(std::string_view how) {
  return how.empty()     ? FailedCas::kUnsaid
         : how == "drop" ? FailedCas::kDropped
                         : FailedCas::kWitness;
}

void add_lock_flags(Options& options, WorkloadSettings& settings) {
  options
      .value("--lock", "KIND", settings.lock,
             "mutex: plain (default), owned, reentrant, fenced, reentrant-fenced or semaphore")
      .one_of(lock_kinds());
  options.number("--lock-limit", "N", settings.lock_limit,
                 "mutex: holds of a reentrant lock, permits of a semaphore (default 2)",
                 {.least = 1});
}

}  // namespace elapid
