// elapid minimize: makes an anomalous history small, and tells its story.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/convert/convert_jobs.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/report_folder.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/reports/source_details.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/elle/description_text.h"
#include "adapter/elle/evidence_dir.h"
#include "adapter/source/source_words.h"
#include "engine/ir/mapped.h"
#include "engine/ir/visible.h"
#include "engine/ir/with_commas.h"
#include "engine/levels/asked_levels.h"
#include "harness/minimize/call_deletion.h"
#include "harness/minimize/keeps.h"
#include "harness/minimize/minimize.h"
#include "harness/minimize/while_command.h"
#include "harness/process/scratch_folder.h"
#include "harness/story/scenario_script.h"
#include "harness/story/sql_script.h"
#include "harness/story/story.h"
#include "harness/story/story_svg.h"
#include "harness/story/story_text.h"
#include "parsers/bytes/output.h"
#include "parsers/door/availability.h"
#include "parsers/door/door.h"
#include "parsers/door/test_settings.h"
#include "parsers/formats.h"
#include "parsers/write.h"

namespace elapid {
namespace {

using Clock = std::chrono::steady_clock;

/// A value of --script beside the databases.
constexpr std::string_view kScenarioScript = "scenario";

struct MinimizeFlags {
  CheckFlags check = {.timeout = {}};
  std::string out = {};
  std::string to = {};
  std::string anomaly = {};
  std::string keep = "anomaly";
  std::string command = {};  ///< --while
  std::string command_timeout = "60s";
  std::string directory = {};
  std::string story = {};
  std::string script = {};
  std::uint64_t tries = 0;
  bool lossy = false;
  bool simplify = false;
  bool merge_sessions = false;
  bool keep_names = false;
};

/// The history to minimize, and the property to keep.
struct Goal {
  LoadedHistory loaded;
  CheckOptions options = {};  ///< how the result is checked, for its story
  std::string anomaly = {};   ///< the anomaly to keep; empty: another property is kept
  Keeps keeps = {};
  std::vector<TxnId> named = {};
};

std::string names_of(const std::vector<FoundAnomaly>& found) {
  auto names = mapped<std::string_view>(found, &FoundAnomaly::name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// The format of --to, else that of the output's name, else the input's. Register operations in EDN
/// remain single operations.
Result<const Target*> target_of(const MinimizeFlags& flags, const LoadedHistory& loaded) {
  if (!flags.to.empty()) {
    ELAPID_ASSIGN_OR_RETURN(const FormatName format, parse_format(flags.to));
    const Target* target = find_target(format);
    return target != nullptr
               ? Result<const Target*>(target)
               : usage_error("the format " + flags.to + " can be read, but not written");
  }
  const FormatName& input = loaded.format();
  const Target* target = target_of_extension(flags.out);
  target = target_of_calls(loaded.history(), target != nullptr ? target : find_target(input));
  return target != nullptr ? Result<const Target*>(target)
                           : usage_error("the format " + text(input) +
                                         " can be read, but not written: say --to FORMAT");
}

class MinimizeRun {
 public:
  MinimizeRun(const MinimizeFlags& flags, CheckRequest request)
      : flags_(flags), request_(std::move(request)), progress_(flags.check.quiet) {}

  Result<ExitCode> run() {
    if (are_many(flags_.check.input.inputs)) {
      return usage_error("expected one history, found several");
    }
    Result<std::optional<Goal>> goal = flags_.command.empty() ? find_goal() : goal_of_command();
    progress_.clear();
    if (!goal) {
      return interrupted() ? Result<ExitCode>(ExitCode::kInterrupted) : goal.error();
    }
    return goal.value() ? reach(*goal.value()) : ExitCode::kUnknown;
  }

 private:
  [[nodiscard]] const std::string& path() const { return request_.inputs.front(); }

  /// Checks the history. If there is nothing to keep, says so and returns nothing.
  Result<std::optional<Goal>> find_goal() {
    CheckJob job = request_.job;
    job.availability = 0;  // a smaller history does not keep the share
    ELAPID_ASSIGN_OR_RETURN(std::vector<CheckedHistory> checked,
                            check_input(path(), job, observer(path(), progress_)));
    const auto invalid =
        std::ranges::find(checked, Validity::kInvalid,
                          [](const CheckedHistory& one) { return one.verdict.validity; });
    CheckedHistory& whole = invalid == checked.end() ? checked.front() : *invalid;
    if (whole.verdict.validity != Validity::kInvalid) {
      const std::string why = why_nothing_to_do(whole.verdict);
      const bool is_valid = whole.verdict.validity == Validity::kValid;
      say_nothing_to_do(is_valid && is_unavailable(std::move(checked))
                            ? "only the share of operations that succeeded is too low"
                            : why);
      return std::optional<Goal>();
    }
    CheckOptions options = options_about(whole.loaded);
    return goal_of(whole, std::move(options));
  }

  /// The question that check asks about the history.
  [[nodiscard]] CheckOptions options_about(const LoadedHistory& loaded) const {
    CheckOptions options = request_.job.check;
    set_demands(request_.job, loaded, options);
    options.settings = with_settings_of_test(loaded, options.settings);
    options.has_budget = [] { return !interrupted(); };
    return options;
  }

  [[nodiscard]] bool is_unavailable(std::vector<CheckedHistory> checked) const {
    std::vector<LoadedHistory> all;
    for (CheckedHistory& one : checked) {
      all.push_back(std::move(one.loaded));
    }
    return !Availability(request_.job, all).is_enough();
  }

  static std::string why_nothing_to_do(const Verdict& verdict) {
    return verdict.validity == Validity::kValid
               ? "the history is valid"
               : "whether the history is valid is unknown" +
                     (verdict.unknown_because ? ", because of " + *verdict.unknown_because
                                              : std::string());
  }

  void say_nothing_to_do(const std::string& why) {
    progress_.clear();
    print_notes(fmt::format("elapid: {}: {}: nothing to minimize\n", visible_line(path()), why));
  }

  Result<std::optional<Goal>> goal_of(CheckedHistory& whole, CheckOptions options) const {
    const std::vector<FoundAnomaly> found = anomalies_found(whole.loaded.history(), whole.verdict);
    const auto chosen = flags_.anomaly.empty()
                            ? found.begin()
                            : std::ranges::find(found, flags_.anomaly, &FoundAnomaly::name);
    if (chosen == found.end()) {
      return found.empty()
                 ? usage_error("the history shows no evidence that minimize can keep; see --while")
                 : usage_error("the history shows no " + flags_.anomaly + "; it shows " +
                               names_of(found));
    }
    const bool keeps_level = flags_.keep == "level";
    Keeps keeps = keeps_level ? keeps_violation(whole.verdict, options)
                              : keeps_anomaly(chosen->name, whole.verdict, options);
    return std::optional<Goal>({.loaded = std::move(whole.loaded),
                                .options = std::move(options),
                                .anomaly = keeps_level ? "" : chosen->name,
                                .keeps = std::move(keeps),
                                .named = chosen->named});
  }

  Result<std::optional<Goal>> goal_of_command() {
    ELAPID_ASSIGN_OR_RETURN(const std::chrono::milliseconds timeout,
                            parse_duration(flags_.command_timeout));
    ELAPID_ASSIGN_OR_RETURN(LoadedHistory loaded, read_input(path(), request_.job.read, progress_));
    ELAPID_ASSIGN_OR_RETURN(const Target* const target, target_of(flags_, loaded));
    ELAPID_ASSIGN_OR_RETURN(Keeps keeps,
                            keeps_while({.command = flags_.command,
                                         .target = target,
                                         .name = "history" + std::string(target->extension),
                                         .details = known_details(loaded),
                                         .any_loss = flags_.lossy,
                                         .timeout = timeout,
                                         .is_cancelled = interrupted}));
    ELAPID_ASSIGN_OR_RETURN(const bool kept, keeps(loaded.history()));
    if (!kept) {
      return usage_error(
          "--while keeps histories for which its command exits with 0; for the whole history it "
          "does not");
    }
    CheckOptions options = options_about(loaded);
    return std::optional<Goal>(
        {.loaded = std::move(loaded), .options = std::move(options), .keeps = std::move(keeps)});
  }

  Result<ExitCode> reach(Goal& goal) {
    print_notes(salvage_warnings(path(), goal.loaded.history()));
    ELAPID_ASSIGN_OR_RETURN(const Target* const target, target_of(flags_, goal.loaded));
    Result<Minimized> small = minimize(goal.loaded.history(), goal.keeps, options_for(goal));
    progress_.clear();
    if (!small) {
      return interrupted() ? Result<ExitCode>(ExitCode::kInterrupted) : small.error();
    }
    ELAPID_ASSIGN_OR_RETURN(const Telling telling, tell(goal, small.value()));
    ELAPID_RETURN_IF_ERROR(write(goal, small.value().history, *target, flags_.out));
    ELAPID_ASSIGN_OR_RETURN(const std::string untold,
                            untold_workload(goal, small.value().history, *target));
    if (!flags_.check.quiet) {
      flags_.out == "-" ? print_notes(telling.text) : print_text(telling.text);
    }
    if (!untold.empty()) {
      print_notes(fmt::format(
          "elapid: the minimized history does not show its workload: check it with -m {}\n",
          untold));
    }
    if (!flags_.story.empty()) {
      ELAPID_RETURN_IF_ERROR(write_picture(telling.story));
    }
    ELAPID_RETURN_IF_ERROR(report(goal, untold));
    return interrupted() ? ExitCode::kInterrupted : ExitCode::kOk;
  }

  static bool has_tuples(const LoadedHistory& loaded) { return !loaded.key().empty(); }

  Status write(Goal& goal, const History& small, const Target& target,
               const std::string& file) const {
    const Result<ConversionReport> written = write_history(
        small, small.workload(), file,
        {.target = &target,
         .policy = flags_.lossy ? LossPolicy::kAny : LossPolicy::kHarmless,
         .details = details_of_small(small, source_details(goal.loaded), has_tuples(goal.loaded)),
         .any_loss = "--lossy"});
    return written ? Status() : written.error();
  }

  /// source_details(), read at once so that several threads can use them.
  static EventDetailsFn known_details(LoadedHistory& loaded) {
    const EventDetailsFn read = source_details(loaded);
    if (!read) {
      return {};
    }
    using Place = std::pair<std::uint16_t, std::uint64_t>;
    const auto known = std::make_shared<std::map<Place, EventDetails>>();
    const History& history = loaded.history();
    for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
      for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
        const SourcePosition place = history.event(txn, kind).position;
        if (Result<EventDetails> details = read(place); details) {
          known->emplace(Place(place.file, place.offset), std::move(details).value());
        }
      }
    }
    return [known](SourcePosition place) -> Result<EventDetails> {
      const auto found = known->find({place.file, place.offset});
      return found != known->end() ? Result<EventDetails>(found->second)
                                   : Result<EventDetails>(EventDetails{});
    };
  }

  [[nodiscard]] MinimizeOptions options_for(const Goal& goal) {
    MinimizeOptions options = {.threads = request_.threads,
                               .named = goal.named,
                               .is_known_to_hold = true,
                               .simplify = flags_.simplify,
                               .merge_sessions = flags_.merge_sessions,
                               .keep_names = flags_.keep_names,
                               .max_tries = flags_.tries,
                               .is_cancelled = interrupted};
    if (request_.job.limits.time) {
      const auto spent =
          std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - begun_);
      options.max_time = std::max(*request_.job.limits.time - spent, std::chrono::milliseconds(1));
    }
    if (flags_.command.empty()) {
      options.name_evidence = [&goal](const History& candidate) {
        return named_in(candidate, goal.anomaly, goal.options);
      };
    }
    options.progress = [this](const MinimizeProgress& at) {
      progress_.stage(
          path(), fmt::format("minimizing: {} transactions, {} operations, {} tries",
                              with_commas(at.txns), with_commas(at.ops), with_commas(at.tries)));
    };
    return options;
  }

  struct Telling {
    ToldStory story = {};
    std::string text = {};
  };

  /// Makes the story and scripts before anything is written: a refused script leaves no files.
  Result<Telling> tell(Goal& goal, const Minimized& small) {
    CheckOptions options = goal.options;
    options.has_budget = {};
    options.progress = {};
    ELAPID_ASSIGN_OR_RETURN(const Verdict verdict, check(small.history, options));
    ToldStory story = tell_story(small.history, verdict,
                                 {.anomaly = goal.anomaly,
                                  .call_text = call_text(small.history, goal.loaded),
                                  .whole_txns = goal.loaded.history().txn_count()});
    std::string text = shown(story) + "\n" + origins(goal, small, story) + outcome(small);
    if (!flags_.script.empty()) {
      ELAPID_ASSIGN_OR_RETURN(const std::string script,
                              script_of(small.history, verdict, story, options));
      text = as_comments(text, flags_.script == kScenarioScript ? ";" : "--") + "\n" + script;
    }
    return Telling{std::move(story), std::move(text)};
  }

  /// The script of --script. A scenario expects violations of levels, which all its transactions
  /// have in common.
  [[nodiscard]] Result<std::string> script_of(const History& small, const Verdict& verdict,
                                              const ToldStory& story,
                                              const CheckOptions& options) const {
    if (small.txn_count() == 0) {
      return usage_error("a script needs transactions, and none is left");
    }
    std::vector<Model> by_transaction;
    ModelSet violated = options.models & (verdict.not_models | verdict.also_not_models);
    if (options.by_transaction) {
      ELAPID_ASSIGN_OR_RETURN(AskedLevels asked, asked_levels(small));
      by_transaction = std::move(asked.models);
      violated = asked_models(small, by_transaction);
    }
    if (flags_.script != kScenarioScript) {
      return sql_script(small, story, options.models, dialect_of(flags_.script), by_transaction);
    }
    return violated.count() > 1 && options.by_transaction
               ? usage_error("a scenario has one level, unlike these transactions")
               : scenario_script(small, story, violated);
  }

  /// The workload to name where the reader would take the small history for another one or for
  /// none: a :pop alone fits several. Else empty. An output that cannot be read again is written to
  /// a temporary file for this.
  Result<std::string> untold_workload(Goal& goal, const History& small, const Target& target) {
    ReadOptions read = request_.job.read;
    read.format = {};  // the output's own
    if (read.workload) {
      return std::string();
    }
    std::string file = flags_.out;
    std::optional<ScratchFolder> scratch;
    if (file == "-" || !can_be_reread(file)) {
      ELAPID_ASSIGN_OR_RETURN(scratch, ScratchFolder::create());
      file = scratch->path() + "/history" + std::string(target.extension);
      ELAPID_RETURN_IF_ERROR(write(goal, small, target, file));
    }
    const Result<LoadedHistory> again = read_input(file, read, progress_);
    progress_.clear();
    const Workload workload = small.workload();
    return again && again.value().history().workload() == workload ? std::string()
                                                                   : std::string(workload.name());
  }

  /// Writes the report of the small history, as it is read back from the output.
  [[nodiscard]] Status report(const Goal& goal, const std::string& untold) {
    if (flags_.directory.empty()) {
      return {};
    }
    CheckFlags again = flags_.check;
    again.input.format = flags_.to;
    again.timeout = CheckFlags().timeout;  // minimize's is for all that it tries
    again.input.workload = untold.empty() ? again.input.workload : untold;
    CheckRequest request = request_;
    request.question = question_words(again);
    request.reading = reading_words(again);
    ReadOptions read = request_.job.read;
    read.format = {};
    read.workload = goal.loaded.history().workload();
    Result<LoadedHistory> loaded = read_input(flags_.out, read, progress_);
    progress_.clear();
    ELAPID_RETURN_IF_ERROR(loaded);
    CheckOptions options = goal.options;
    options.has_budget = {};
    options.progress = {};
    ELAPID_ASSIGN_OR_RETURN(const Verdict verdict,
                            check_history(loaded.value().history(), options));
    return write_files(flags_.directory, flags_.out,
                       files_of_report(request, flags_.out, loaded.value(), verdict));
  }

  [[nodiscard]] Status write_picture(const ToldStory& story) const {
    ELAPID_ASSIGN_OR_RETURN(OutputFile file, OutputFile::create(flags_.story));
    file << to_svg(story);
    return file.commit();
  }

  /// The story; of a history that is still large, its first lines.
  static std::string shown(const ToldStory& story) {
    constexpr std::size_t kMostTold = 100;
    return story.txns.size() <= kMostTold ? to_text(story) : story.title + "\n" + story.size + "\n";
  }

  /// The lines as comments, each behind the mark.
  static std::string as_comments(std::string_view text, const std::string& mark) {
    std::string comments;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      comments += mark + (line.empty() ? "" : " ") + std::string(line) + "\n";
      text.remove_prefix(line.size() + 1);
    }
    return comments;
  }

  /// `T1 is run.edn:12, T2 is run.edn:40.`; of many the first.
  static std::string origins(Goal& goal, const Minimized& small, const ToldStory& story) {
    const History& whole = goal.loaded.history();
    SourceLines lines(goal.loaded);
    const auto origin = [&](const StoryTxn& txn) { return small.origins[txn.txn.index()]; };
    const bool has_lines = goal.loaded.has_lines();
    const std::span<const StoryTxn> cited =
        std::span(story.txns).first(std::min<std::size_t>(story.txns.size(), 20));
    for (const StoryTxn& txn : cited) {
      if (has_lines) {
        lines.want(whole.representative(origin(txn)).position);
      }
    }
    std::vector<std::string> places;
    for (const StoryTxn& txn : cited) {
      const TxnId was = origin(txn);
      places.push_back(fmt::format("{} is {}", txn.label,
                                   has_lines ? lines.file_line(whole.representative(was).position)
                                             : place_in_session(whole, was)));
    }
    return places.empty() ? "" : fmt::format("{}.\n", fmt::join(places, ", "));
  }

  static std::string outcome(const Minimized& small) {
    const bool has_txns = small.history.workload().has_transactions();
    const std::string tries =
        fmt::format("{} {}", with_commas(small.tries), small.tries == 1 ? "try" : "tries");
    return small.is_one_minimal
               ? fmt::format("Minimal after {}: no {} can be left out.\n", tries,
                             has_txns ? "transaction, operation or element" : "operation")
               : fmt::format("Not minimal: {} after {}; this is the smallest history so far.\n",
                             small.why_not, tries);
  }

  const MinimizeFlags& flags_;
  CheckRequest request_;
  Clock::time_point begun_ = Clock::now();
  Progress progress_;
};

Result<ExitCode> run_minimize(const MinimizeFlags& flags) {
  if (!flags.command.empty() && (!flags.anomaly.empty() || flags.keep != "anomaly")) {
    return usage_error("--while says what to keep; --anomaly and --keep do so too");
  }
  if (!flags.directory.empty() && flags.out == "-") {
    return usage_error("-d needs a file to report on, and -o - writes none");
  }
  if (!flags.anomaly.empty() && flags.keep != "anomaly") {
    return usage_error(
        "--keep level keeps any violation of the level; --anomaly names one: they "
        "exclude each other");
  }
  ELAPID_ASSIGN_OR_RETURN(CheckRequest request, check_request(flags.check));
  share_threads(1, request);
  return MinimizeRun(flags, std::move(request)).run();
}

void add_goal_flags(Options& options, MinimizeFlags& flags) {
  options.begin_group("What to keep");
  options
      .value("--anomaly", "NAME", flags.anomaly,
             "The anomaly to keep (default: the first reported)")
      .proposes(anomaly_words());
  options
      .value("--keep", "WHAT", flags.keep,
             "anomaly (default), or level: any violation of the level")
      .one_of({"anomaly", "level"});
  options.value("--while", "CMD", flags.command,
                "What makes this shell command exit with 0; {} is the candidate's path");
  options.value("--while-timeout", "DURATION", flags.command_timeout,
                "Time for one run of the command (default 60s)");
}

void add_size_flags(Options& options, MinimizeFlags& flags) {
  options.begin_group("How small");
  options.flag("--simplify", flags.simplify,
               "Give up real time and session order too, where the property does not need them");
  options
      .flag("--merge-sessions", flags.merge_sessions,
            "Put sessions into one where the property allows it")
      .excludes("--simplify");
  options.flag("--keep-names", flags.keep_names, "Keep names of keys, values and sessions");
  options.number("--tries", "N", flags.tries, "Candidates to try at most (default: no limit)",
                 {.least = 1});
}

std::vector<std::string_view> script_names() {
  std::vector<std::string_view> names = dialect_names();
  names.insert(names.begin(), kScenarioScript);
  return names;
}

void add_output_flags(Options& options, MinimizeFlags& flags) {
  options.begin_group("What to write");
  options
      .value("-o,--output", "OUT", flags.out,
             "File or directory for the small history; - for standard output")
      .required();
  options
      .value("-t,--to", "FORMAT", flags.to,
             "Its format; otherwise told by OUT's extension, else that of the input")
      .proposes(format_names());
  options.flag("--lossy", flags.lossy, "Accept losses that can change the verdict on a history");
  options.value("-d,--directory", "DIR", flags.directory,
                "Write a report on the small history there: report.html, summary.txt, ...");
  options.value("--story", "FILE", flags.story, "Write the story as a picture there, in SVG");
  options
      .value("--script", "FORM", flags.script,
             "Tell it as a scenario that `elapid run --scenario` plays, or as SQL for several "
             "shells: scenario, postgres, mysql or sqlite")
      .one_of(script_names());
  options.flag("-q,--quiet", flags.check.quiet, "Do not tell the story");
}

}  // namespace

Command minimize_command() {
  const auto flags = std::make_shared<MinimizeFlags>();
  Command command = {.name = "minimize",
                     .about = "Shrink an anomalous history while it stays anomalous",
                     .run = [flags] { return run_minimize(*flags); }};
  add_reading_flags(command.options, flags->check.input);
  command.options.at("INPUT")
      .means("INPUT",
             "A file, a directory that is one run, or - for standard input; gzip and zstd too")
      .once();
  add_goal_flags(command.options, *flags);
  add_question_flags(command.options, flags->check);
  add_keys_level(command.options, flags->check);
  add_size_flags(command.options, *flags);
  add_output_flags(command.options, *flags);
  command.options.at("--timeout").means("DURATION", "Time for all, as 90s or 5m");
  command.options.at("-j").means("N",
                                 "Candidates tried at once (default: one a core); the output "
                                 "does not depend on it");
  return command;
}

}  // namespace elapid
