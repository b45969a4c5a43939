// elapid elle-cli: behaves as ligurio/elle-cli 0.1.10, with its flags, defaults, output and exit
// codes. If these do not conflict, also as 0.1.9: -v alone and --verbose print the analysis.
//
// Differences: more inputs are read than elle-cli accepts (compressed, standard input, Jepsen store
// directories, other file name extensions), and messages on standard error are our own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/elle_cli_model.h"
#include "adapter/cli/options/help.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/check_report.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/elle/result_map.h"
#include "engine/ir/visible.h"
#include "engine/levels/validity.h"
#include "engine/workloads/table.h"
#include "parsers/door/door.h"
#include "parsers/formats.h"

namespace elapid {
namespace {

constexpr std::array<std::string_view, 2> kFormats = {"edn", "json"};

constexpr auto kOptionError = static_cast<ExitCode>(1);
constexpr auto kElleThrows = static_cast<ExitCode>(255);

struct ElleCliFlags {
  CheckFlags check = {};
  std::string output = "text";
  bool wants_version = false;
  std::int64_t max_transfer = 0;  ///< which elle-cli uses nowhere
};

ElleCliFlags elle_defaults() {
  ElleCliFlags flags;
  flags.check.anomalies = "G0";
  flags.check.cycle_search_timeout_ms = 1000;
  flags.check.elle_compat = true;
  return flags;
}

void add_elle_flags(Options& options, ElleCliFlags& flags) {
  CheckFlags& check = flags.check;
  options.argument("FILE", check.input.inputs, "Histories");
  options.value("-m,--model", "NAME", check.input.workload,
                fmt::format("Workload: {}", fmt::join(checked_workloads(), ", ")));
  options.value("-f,--format", "NAME", check.input.format, "edn or json (default: by extension)");
  options
      .value("-v,--output", "FORMAT", flags.output,
             "text (default), or json, the analysis; -v alone and --verbose are json")
      .one_of({"text", "json"});
  options.flag("--version", flags.wants_version,
               "Print the version of elle-cli that this command imitates");
  options
      .value("-c,--consistency-models", "NAMES", check.consistency_models,
             "Comma-separated (default strict-serializable)")
      .empty_means(kEmptyList);
  options.value("-a,--anomalies", "NAMES", check.anomalies, "Comma-separated (default G0)");
  options.number("-s,--cycle-search-timeout", "MS", check.cycle_search_timeout_ms,
                 "Milliseconds a component (default 1000)",
                 {.most = static_cast<std::int64_t>(kLongestMilliseconds)});
  options.value("-d,--directory", "DIR", check.directory, "Where to write evidence files");
  options.value("-p,--plot-format", "FORMAT", check.plot_format, "svg (default) or png")
      .one_of({"svg", "png"});
  options.number("-t,--plot-timeout", "MS", check.plot_timeout_ms, "Milliseconds (default 5000)",
                 kPlotTimeouts);
  options.number("-b,--max-plot-bytes", "BYTES", check.max_plot_bytes,
                 "Bytes of DOT (default 65536)");
}

void add_flags_of_other_workloads(Options& options, ElleCliFlags& flags) {
  constexpr Bounds kAny = {.least = std::numeric_limits<std::int64_t>::min()};
  options.number("-g,--group-size", "N", flags.check.settings.group_size, "long-fork (default 0)",
                 kAny);
  options.flag("-n,--allow-negative-balances", flags.check.settings.negative_balances, "bank");
  options.number("--max-transfer", "N", flags.max_transfer, "bank", kAny);
  options.number("-o,--total-amount", "N", flags.check.settings.total_amount, "bank", kAny);
}

/// elle-cli takes the format from -f, else from the file's extension.
ReadOptions options_for(const std::string& path, ReadOptions options) {
  if (!options.format) {
    const std::string_view file = path;
    if (file.ends_with(".edn")) {
      options.format = find_format("edn");
    } else if (file.ends_with(".json")) {
      options.format = find_format("json");
    }
  }
  return options;
}

/// The words as the table of options reads them: as in 0.1.9, -v needs no value.
std::vector<std::string> with_output_named(const std::vector<std::string>& words) {
  std::vector<std::string> named;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_format =
        i + 1 < words.size() && (words[i + 1] == "text" || words[i + 1] == "json");
    const bool is_alone = words[i] == "--verbose" || (words[i] == "-v" && !has_format);
    named.push_back(is_alone ? "--output=json" : words[i]);
  }
  return named;
}

/// Refuses a name as elle-cli does: on standard output, and with an exit code of its own.
ExitCode refuse_name(std::string_view option, std::string_view name,
                     std::span<const std::string_view> known) {
  print_text(fmt::format("Failed to validate \"{} {}\": Must be one of {}\n", option,
                         visible_line(name), fmt::join(known, ", ")));
  return kOptionError;
}

/// Accepts elle-cli's models and Elapid's further workloads.
bool is_model(const std::string& name) {
  return std::ranges::find(elle_cli_models(), name) != elle_cli_models().end() ||
         parse_workload(name).ok();
}

ExitCode throws(const Error& error) {
  print_error(error);
  return interrupted() ? ExitCode::kInterrupted : kElleThrows;
}

/// Reports operations that belong to another model, if there are any.
bool complains_of_model(const std::string& path, std::string_view model,
                        const ReadOptions& options) {
  const std::optional<std::string> mismatch = model_mismatch_of(path, model, options);
  if (mismatch) {
    print_error({.message = *mismatch, .file = path});
  }
  return mismatch.has_value();
}

/// Prints what elle-cli prints for one file.
ExitCode check_file(const std::string& path, std::string_view model, const CheckRequest& request,
                    Progress& progress) {
  CheckJob job = request.job;
  job.read = options_for(path, job.read);
  Result<std::vector<CheckedHistory>> all = check_input(path, job, observer(path, progress));
  if (!all) {
    return all.error().kind == ErrorKind::kMalformed && complains_of_model(path, model, job.read)
               ? kOptionError
               : throws(all.error());
  }
  CheckedHistory& checked = all.value().front();  // exactly one: elle-cli has no --independent
  if (may_mismatch(checked.loaded.history()) && complains_of_model(path, model, job.read)) {
    return kOptionError;
  }
  const Verdict& verdict = checked.verdict;
  if (verdict.elle_error) {
    return throws({.message = *verdict.elle_error, .file = path});
  }
  progress.clear();
  if (request.directory) {
    const Report evidence = evidence_report(path, *request.directory, request.plots, checked.loaded,
                                            verdict, {}, progress);
    progress.clear();
    print_notes(evidence.err);
    if (evidence.code != ExitCode::kOk) {
      return interrupted() ? ExitCode::kInterrupted : kElleThrows;
    }
  }
  if (request.detail == Detail::kVerbose) {
    print_document(
        result_map(checked.loaded.history(), verdict, Syntax::kJson, event_fields(checked.loaded)) +
        "\n");
  } else {
    print_document(fmt::format("{} \t {}\n", visible_line(path), truth_word(verdict.validity)));
  }
  return verdict.validity == Validity::kInvalid ? ExitCode::kInvalid : ExitCode::kOk;
}

/// The names of anomalies that are known. Elle takes any name, and one that it does not know adds
/// nothing.
std::string known_anomalies(std::string_view names) {
  std::vector<std::string_view> known;
  for (std::size_t begin = 0; begin <= names.size();) {
    const std::size_t end = std::min(names.find(',', begin), names.size());
    const std::string_view name = names.substr(begin, end - begin);
    if (!name.empty() && parse_anomalies(name)) {
      known.push_back(name);
    }
    begin = end + 1;
  }
  return known.empty() ? "none" : fmt::format("{}", fmt::join(known, ","));
}

ExitCode check_files(ElleCliFlags flags) {
  flags.check.verbose = flags.output == "json";
  flags.check.anomalies = known_anomalies(flags.check.anomalies);
  const std::string& models = flags.check.consistency_models;
  if (is_all(models) || models == "none") {  // which `check --elle-compat` knows
    return throws(usage_error(fmt::format("Elle does not know {}", models)));
  }
  Result<CheckRequest> request = check_request(flags.check);
  if (!request) {
    return throws(request.error());
  }
  share_threads(request.value().inputs.size(), request.value());
  Progress progress(false);
  ExitCode all = ExitCode::kOk;
  for (const std::string& path : request.value().inputs) {
    const ExitCode code = check_file(path, flags.check.input.workload, request.value(), progress);
    if (code != ExitCode::kOk && code != ExitCode::kInvalid) {
      return code;
    }
    all = combine(all, code);
  }
  return all;
}

Command command_for(const std::shared_ptr<ElleCliFlags>& flags) {
  Command command = {
      .name = "elle-cli",
      .about = "Behave as elle-cli does (also when called through a link of that name)"};
  command.options.let_last_win();
  add_elle_flags(command.options, *flags);
  add_flags_of_other_workloads(command.options, *flags);
  command.run = [flags] { return check_files(*flags); };
  return command;
}

}  // namespace

Command elle_cli_command() {
  return command_for(std::make_shared<ElleCliFlags>(elle_defaults()));
}

ExitCode run_elle_cli(const std::vector<std::string>& arguments) {
  const auto flags = std::make_shared<ElleCliFlags>(elle_defaults());
  Command command = command_for(flags);
  if (const Status status = command.options.parse(with_output_named(arguments)); !status.ok()) {
    print_error(status.error());
    return kOptionError;
  }
  const std::string& model = flags->check.input.workload;
  if (!model.empty() && !is_model(model)) {
    return refuse_name("-m", model, elle_cli_models());
  }
  const std::string& format = flags->check.input.format;
  if (!format.empty() && std::ranges::find(kFormats, format) == kFormats.end()) {
    return refuse_name("-f", format, kFormats);
  }
  if (flags->wants_version) {
    print_text("elle-cli 0.1.10\n");
    return ExitCode::kOk;
  }
  if (command.options.wants_help() || flags->check.input.workload.empty()) {
    print_text(command_help(command, ""));
    return ExitCode::kOk;
  }
  return check_files(*flags);
}

}  // namespace elapid
