// elapid watch: checks a stream of transactions by timestamps, or a history, while it grows.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "adapter/cli/command.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/follow/follow.h"
#include "adapter/watch/expect_stream.h"
#include "adapter/watch/watch.h"
#include "engine/workloads/table.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/door/door.h"

namespace elapid {
namespace {

constexpr WatchWords kWords = {.initial = "--initial", .follow = "--follow"};

struct WatchFlags {
  WatchOptions options = {};
  CheckFlags question = {};  ///< of --follow: what elapid check has, too
  std::string model = {};
  std::string level = {};  ///< empty: si, or that of `elapid check`
  std::string deadline = {};
  std::string memory = {};
  std::string max_line = {};
  std::string checkpoint = {};
  std::string progress = {};
  bool final_only = false;
  bool follows = false;
};

Status set_level(const std::string& name, WatchOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(const Model model, parse_model(name));
  const std::optional<OrderLevel> level = order_level(model);
  const bool is_snapshot = level && level->visibility == Visibility::kSnapshot;
  const bool is_serial = level && level->visibility == Visibility::kSerial;
  if ((!is_snapshot && !is_serial) || level->real_time) {
    return usage_error(
        "watch checks snapshot-isolation and serializable, each also with "
        "strong-session-; found " +
        name);
  }
  options.level = friendly_name(model);
  options.read_point = is_snapshot ? ReadPoint::kStart : ReadPoint::kCommit;
  options.sessions = level->sessions;
  return {};
}

Status set_quantities(const WatchFlags& flags, WatchOptions& options) {
  for (const auto& [text, into] : {std::pair(&flags.deadline, &options.deadline),
                                   std::pair(&flags.progress, &options.progress)}) {
    if (text->empty()) {
      continue;
    }
    if (*text == "0") {
      *into = {};
      continue;
    }
    ELAPID_ASSIGN_OR_RETURN(const std::chrono::milliseconds parsed, parse_duration(*text));
    *into = parsed;
  }
  for (const auto& [text, into] : {std::pair(&flags.memory, &options.memory),
                                   std::pair(&flags.checkpoint, &options.checkpoint),
                                   std::pair(&flags.max_line, &options.longest_line)}) {
    if (text->empty()) {
      continue;
    }
    ELAPID_ASSIGN_OR_RETURN(const std::uint64_t parsed, text == &flags.max_line
                                                            ? parse_line_length(*text)
                                                            : parse_bytes(*text));
    *into = parsed;
  }
  return {};
}

Result<WatchOptions> watch_options(const WatchFlags& flags) {
  WatchOptions options = flags.options;
  if (!flags.model.empty()) {
    options.workload = find_workload(flags.model);
    if (options.workload != Workload::kListAppend && options.workload != Workload::kRwRegister) {
      return usage_error(
          "a stream has workload list-append or rw-register; use --follow for others");
    }
  }
  options.wants_provisional = !flags.final_only;
  options.words = kWords;
  if (options.to_end && (options.input.starts_with("tcp:") || options.input.starts_with("unix:"))) {
    return usage_error("--to-end is for files: clients of a socket may always write more");
  }
  if (options.lag && !flags.deadline.empty()) {
    return usage_error("--deadline and --watermark exclude each other");
  }
  if (options.is_sorted &&
      (options.lag || options.state || options.clock_skew > 0 || !flags.deadline.empty())) {
    return usage_error("--sorted excludes --deadline, --watermark, --clock-skew and --state");
  }
  if (flags.level == kEmptyList) {
    return usage_error("expected consistency models, found none");
  }
  Status status = set_level(flags.level.empty() ? "si" : flags.level, options);
  status = status.ok() ? set_quantities(flags, options) : status;
  return status.ok() ? Result<WatchOptions>(std::move(options))
                     : Result<WatchOptions>(std::move(status.error()));
}

Result<FollowOptions> follow_options(const WatchFlags& flags) {
  const WatchOptions& given = flags.options;
  if (given.lag || given.state || given.is_sorted || given.clock_skew > 0 || flags.final_only ||
      !flags.deadline.empty() || !flags.memory.empty()) {
    return usage_error(
        "--clock-skew, --deadline, --watermark, --sorted, --final-only, --memory and --state are "
        "for streams, not for --follow");
  }
  FollowOptions options = {.path = given.input,
                           .to_end = given.to_end,
                           .stop_on_error = given.stops_on_error,
                           .should_stop = [] { return interrupted() || !output_status().ok(); }};
  ELAPID_ASSIGN_OR_RETURN(options.check.by_transaction, asks_by_transaction(flags.level));
  ELAPID_ASSIGN_OR_RETURN(options.check.models, parse_models(flags.level.empty() ? kDefaultModel
                                                             : options.check.by_transaction
                                                                 ? std::string_view("none")
                                                                 : std::string_view(flags.level),
                                                             false));
  options.demands_default = flags.level.empty();
  options.check.words.workload = kCheckFlags.workload;
  options.read.initial = given.initial;
  options.read.words = kReadFlags;
  options.read.longest_line = LineSource::kLongestLine;
  if (!flags.max_line.empty()) {
    ELAPID_ASSIGN_OR_RETURN(options.read.longest_line, parse_line_length(flags.max_line));
  }
  if (!flags.model.empty()) {
    options.read.workload = find_workload(flags.model);
  }
  options.read.independent = flags.question.input.independent;
  options.check.settings = settings_of(flags.question);
  if (!flags.progress.empty()) {
    ELAPID_ASSIGN_OR_RETURN(options.interval, parse_duration(flags.progress));
  }
  return options;
}

Result<ExitCode> run_follow(const WatchFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(const FollowOptions options, follow_options(flags));
  catch_termination();
  const FollowOutcome outcome = follow_history(options, print_document);
  const ExitCode verdict = exit_code(outcome.validity);
  return outcome.error ? combine(verdict, print_error(*outcome.error)) : verdict;
}

/// Checks a file before anything is written. watch() checks the first lines of a pipe.
Status expect_stream_in(const std::string& input) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(input, ignored)) {
    return {};
  }
  const Result<std::unique_ptr<ByteSource>> source = open_source(input);
  return source ? expect_stream(*source.value(), kWords.follow) : Status();
}

Result<ExitCode> run_watch(const WatchFlags& flags) {
  if (flags.follows) {
    return run_follow(flags);
  }
  ELAPID_ASSIGN_OR_RETURN(const WatchOptions options, watch_options(flags));
  ELAPID_RETURN_IF_ERROR(expect_stream_in(options.input));
  catch_termination();
  ELAPID_ASSIGN_OR_RETURN(const WatchOutcome outcome, watch(options, interrupted));
  const ExitCode verdict = exit_code(outcome.validity);
  return outcome.malformed ? combine(verdict, print_error(*outcome.malformed)) : verdict;
}

void add_stream_flags(Options& options, WatchFlags& flags) {
  WatchOptions& watch = flags.options;
  options.begin_group("Streams with timestamps");
  options.number("--clock-skew", "BOUND", watch.clock_skew,
                 "By how much clocks may differ, in timestamps: what that explains decides "
                 "nothing");
  options.value(
      "--deadline", "DURATION", flags.deadline,
      "How long a verdict may change; transactions that come later are late (default 5s)");
  options.number(
      "--watermark", "LAG", watch.lag,
      "Instead of --deadline: how far to stay behind the greatest commit, in timestamps");
  options.flag("--sorted", watch.is_sorted,
               "Instead of --deadline: the stream is sorted by start (serializable: by commit), so "
               "that every verdict is final at once and old versions are forgotten");
  options.flag("--final-only", flags.final_only, "Report no violation that may still be retracted");
  options.value("--memory", "SIZE", flags.memory,
                "Memory for transactions; beyond it the oldest go to disk (default 128M)");
  options.value(
      "--state", "DIR", watch.state,
      "Keep the state in DIR: the next run goes on where this one ended, however it ended");
  options.value("--checkpoint", "SIZE", flags.checkpoint,
                "About how many bytes of the stream a restart reads again at most (default 16M)");
}

void add_flags(Options& options, WatchFlags& flags) {
  WatchOptions& watch = flags.options;
  options.argument("INPUT", watch.input,
                   "A file that grows, - for standard input (default), tcp:PORT, tcp:HOST:PORT or "
                   "unix:PATH to listen at");
  options
      .value("-m,--model", "NAME", flags.model,
             "Workload (default: that of the first operation that shows it)")
      .one_of(checked_workloads());
  options
      .value("-c,--consistency-models", "NAMES", flags.level,
             "snapshot-isolation or serializable, each also with strong-session- (si and ser); "
             "default si. With --follow: as for elapid check")
      .proposes(level_words())
      .empty_means(kEmptyList);
  options.value("--initial", "VALUE", watch.initial, "What registers hold at first; default nil");
  options.value("--max-line", "BYTES", flags.max_line,
                "The longest line that is read; longer ones are errors (default 64M)");
  options.value("--progress", "DURATION", flags.progress,
                "How often to tell, or with --follow to check (default 1s)");
  options.flag(
      "--follow", flags.follows,
      "INPUT is a history that a running test writes, a file or -: check all of it again as it "
      "grows");
  options.flag("--to-end", watch.to_end,
               "End at the end of a file, instead of waiting for it to grow");
  options.flag("--stop-on-error", watch.stops_on_error,
               "End at the first line that is not understood (65)");
  add_stream_flags(options, flags);
  options.begin_group("With --follow");
  options.flag("--independent", flags.question.input.independent,
               "Values are [key value] tuples: each key is a history of its own");
  add_workload_flags(options, flags.question);
}

}  // namespace

Command watch_command() {
  const auto flags = std::make_shared<WatchFlags>();
  Command command = {.name = "watch",
                     .about = "Check a stream of transactions by their timestamps while it goes on",
                     .run = [flags] { return run_watch(*flags); }};
  add_flags(command.options, *flags);
  return command;
}

}  // namespace elapid
