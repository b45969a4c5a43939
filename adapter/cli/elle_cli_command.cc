// elapid elle-cli: behaves as ligurio/elle-cli 0.1.9 does, with its flags, defaults, output and
// exit codes.
//
// Differences: histories are also read where elle-cli would not look (compressed, standard input,
// Jepsen store directories, other file name extensions), and messages on standard error are ours.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/check_flags.h"
#include "adapter/cli/check_input.h"
#include "adapter/cli/check_report.h"
#include "adapter/cli/command.h"
#include "adapter/cli/interrupt.h"
#include "adapter/cli/reports.h"
#include "adapter/elle/result_map.h"
#include "engine/validity_words.h"

namespace elapid {
namespace {

constexpr auto kOptionError = static_cast<ExitCode>(1);
constexpr auto kElleThrows = static_cast<ExitCode>(255);

struct ElleCliFlags {
  CheckFlags check = {};
  bool help = false;
  // Of workloads that are not there yet.
  std::int64_t group_size = 0;
  bool allow_negative_balances = false;
  std::int64_t max_transfer = 0;
  std::int64_t total_amount = 0;
};

ElleCliFlags elle_defaults() {
  ElleCliFlags flags;
  flags.check.anomalies = "G0";
  flags.check.cycle_search_timeout_ms = 1000;
  flags.check.elle_compat = true;
  return flags;
}

void add_general_flags(CLI::App& app, ElleCliFlags& flags) {
  app.set_help_flag();
  app.add_option("FILE", flags.check.input.inputs, "Histories");
  app.add_option("-m,--model", flags.check.input.workload, "Workload: list-append, rw-register");
  app.add_option("-f,--format", flags.check.input.format, "edn or json (default: by extension)");
  app.add_flag("-v,--verbose", flags.check.verbose, "Print the analysis as JSON");
  app.add_flag("-h,--help", flags.help, "Print this help");
}

void add_elle_flags(CLI::App& app, CheckFlags& flags) {
  app.add_option("-c,--consistency-models", flags.consistency_models,
                 "Comma-separated (default strict-serializable)");
  app.add_option("-a,--anomalies", flags.anomalies, "Comma-separated (default G0)");
  app.add_option("-s,--cycle-search-timeout", flags.cycle_search_timeout_ms,
                 "Milliseconds a component (default 1000)");
  app.add_option("-d,--directory", flags.directory, "Where to write evidence files");
  app.add_option("-p,--plot-format", flags.plot_format, "svg (default) or png")
      ->check(CLI::IsMember({"svg", "png"}));
  app.add_option("-t,--plot-timeout", flags.plot_timeout_ms, "Milliseconds (default 5000)")
      ->check(CLI::Range(1, 86400000));
  app.add_option("-b,--max-plot-bytes", flags.max_plot_bytes, "Bytes of DOT (default 65536)");
}

void add_flags_of_later_workloads(CLI::App& app, ElleCliFlags& flags) {
  app.add_option("-g,--group-size", flags.group_size, "long-fork (default 0)");
  app.add_flag("-n,--allow-negative-balances", flags.allow_negative_balances, "bank");
  app.add_option("--max-transfer", flags.max_transfer, "bank");
  app.add_option("-o,--total-amount", flags.total_amount, "bank");
}

/// elle-cli takes the format from -f if it is one it knows, else from the file's extension.
ReadOptions options_for(const std::string& path, ReadOptions options) {
  if (!options.format) {
    const std::string_view file = path;
    if (file.ends_with(".edn")) {
      options.format = {Format::kEdn};
    } else if (file.ends_with(".json")) {
      options.format = {Format::kJson};
    }
  }
  return options;
}

ExitCode throws(const Error& error) {
  print_error(error);
  return interrupted() ? ExitCode::kInterrupted : kElleThrows;
}

/// Prints what elle-cli prints for one file.
ExitCode check_file(const std::string& path, const CheckRequest& request, Progress& progress) {
  CheckRequest request_for_path = request;
  request_for_path.read = options_for(path, request.read);
  Result<std::vector<CheckedHistory>> all = check_input(path, request_for_path, progress);
  if (!all) {
    return throws(all.error());
  }
  CheckedHistory& checked = all.value().front();  // the only one: there is no --independent here
  const Verdict& verdict = checked.verdict;
  if (verdict.elle_error) {
    return throws({.message = *verdict.elle_error, .file = path});
  }
  progress.clear();
  if (request.directory) {
    const Report evidence =
        evidence_report(path, *request.directory, request.plots, checked.loaded, verdict, progress);
    progress.clear();
    std::fputs(evidence.err.c_str(), stderr);
    if (evidence.code != ExitCode::kOk) {
      return interrupted() ? ExitCode::kInterrupted : kElleThrows;
    }
  }
  if (request.detail == Detail::kVerbose) {
    fmt::print("{}\n", result_map(checked.loaded.history(), verdict, Syntax::kJson,
                                  event_fields(checked.loaded)));
  } else {
    fmt::print("{} \t {}\n", path, truth_word(verdict.validity));
  }
  return verdict.validity == Validity::kInvalid ? ExitCode::kInvalid : ExitCode::kOk;
}

ExitCode check_files(ElleCliFlags flags) {
  if (flags.check.input.format != "edn" && flags.check.input.format != "json") {
    flags.check.input.format.clear();
  }
  const Result<CheckRequest> request = check_request(flags.check);
  if (!request) {
    return throws(request.error());
  }
  Progress progress(false);
  ExitCode all = ExitCode::kOk;
  for (const std::string& path : request.value().inputs) {
    const ExitCode code = check_file(path, request.value(), progress);
    if (code != ExitCode::kOk && code != ExitCode::kInvalid) {
      return code;
    }
    all = combine(all, code);
  }
  return all;
}

}  // namespace

ExitCode run_elle_cli(std::vector<std::string> arguments) {
  CLI::App app("Checks histories as elle-cli does", "elle-cli");
  ElleCliFlags flags = elle_defaults();
  add_general_flags(app, flags);
  add_elle_flags(app, flags.check);
  add_flags_of_later_workloads(app, flags);
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::ParseError& error) {
    print_error({.kind = ErrorKind::kUsage, .message = error.what()});
    return kOptionError;
  }
  if (flags.help || flags.check.input.workload.empty()) {
    std::fputs(app.help().c_str(), stdout);
    return ExitCode::kOk;
  }
  return check_files(std::move(flags));
}

}  // namespace elapid
