// elapid advise: the lowest safe isolation level of each transaction, or program.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/advise/advise_report.h"
#include "adapter/cli/commands/convert/convert_jobs.h"
#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/elle/description_text.h"
#include "adapter/elle/file_output.h"
#include "engine/advise/observed.h"
#include "engine/advise/programs.h"
#include "harness/advise/counterexample_story.h"
#include "harness/advise/program_reader.h"

namespace elapid {
namespace {

struct AdviseFlags {
  InputFlags input = {};
  bool reads_programs = false;
  std::string database = "postgres";
  std::string levels = {};
  std::optional<std::size_t> stories = {};
  bool writes_sql = false;
  std::string write = {};  ///< a folder for scenarios
  std::string timeout = "10m";
};

/// Stories told of a history unless the user asks for another number.
constexpr std::size_t kStoriesOfHistory = 3;

/// Reads times representatives times operations: with more, promotions take seconds.
constexpr double kMostPromotionWork = 3e7;

class AdviseRun {
 public:
  AdviseRun(const AdviseFlags& flags, const DatabaseLevels& database, advise::OfferedLevels offered,
            std::chrono::milliseconds time)
      : flags_(flags), time_(time), progress_(false) {
    answer_.path = flags.input.inputs.front();
    answer_.database = &database;
    answer_.offered = std::move(offered);
  }

  Result<Report> run(const ReadOptions& options) {
    catch_interrupt();
    const bool is_programs = flags_.reads_programs || answer_.path.ends_with(".programs");
    const Status read = is_programs ? read_as_programs() : read_as_history(options);
    ELAPID_RETURN_IF_ERROR(read);
    if (answer_.unknown_because.empty()) {
      ask();
    }
    const std::vector<ToldCounterexample> told = counterexamples(answer_);
    ELAPID_RETURN_IF_ERROR(write(told));
    return report(told, is_programs);
  }

 private:
  Status read_as_programs() {
    ELAPID_ASSIGN_OR_RETURN(ProgramFile file, read_programs(answer_.path));
    const advise::ProgramSet& set = (programs_ = std::move(file)).set;
    answer_.read_text = [&set](const advise::PromotedRead& read) {
      const advise::Program& program = set.programs[read.program];
      return operation_text(set, program, program.operations[read.operation]);
    };
    if (!programs_.uncovered.empty()) {
      answer_.unknown_because =
          fmt::format("line {}: {}", programs_.uncovered_line, programs_.uncovered);
      return {};
    }
    std::optional<advise::Application> application = instances_of(set);
    if (application) {
      answer_.application = *std::move(application);
    } else {
      answer_.unknown_because =
          "the programs have too many parameters: their instances would be more than a few million "
          "operations";
    }
    return {};
  }

  Status read_as_history(const ReadOptions& options) {
    ELAPID_ASSIGN_OR_RETURN(LoadedHistory loaded, read_input(answer_.path, options, progress_));
    const History& history = loaded.history();
    if (!history.workload().has_transactions()) {
      answer_.unknown_because = fmt::format(
          "the operations of a {} are no transactions of reads "
          "and writes",
          history.workload().name());
      return {};
    }
    advise::ObservedApplication observed = advise::observed_application(
        history, [&](TxnId txn) { return place_in_session(history, txn); });
    answer_.left_out = observed.left_out;
    if (!observed.uncovered.empty()) {
      answer_.unknown_because =
          fmt::format("{}: {}, which is not covered",
                      place_in_session(history, observed.uncovered_by), observed.uncovered);
      return {};
    }
    answer_.application = std::move(observed.application);
    for (const TxnId txn : observed.txns) {
      std::vector<std::string>& operations = operations_.emplace_back();
      for (const Op op : history.ops(txn)) {
        operations.push_back(
            fmt::format("{} {}", op.is_write() ? "W" : "R", history.shown_key(op.key())));
      }
    }
    answer_.read_text = [this](const advise::PromotedRead& read) {
      return operations_[read.program][read.operation];
    };
    return {};
  }

  void ask() {
    const auto keep_going = [this] { return goes_on(); };
    std::optional<advise::Advice> advice =
        advise::advise(answer_.application, answer_.offered, keep_going);
    if (advice) {
      answer_.advice = *std::move(advice);
      if (promotion_work() < kMostPromotionWork) {
        answer_.promotions = promotions(answer_.application, answer_.offered, keep_going);
      }
    }
    if (!answer_.unknown_because.empty()) {
      answer_.advice = {};
    }
  }

  /// Whether the budget lasts.
  bool goes_on() {
    if (answer_.unknown_because.empty() && take_interrupt()) {
      answer_.unknown_because = "an interrupt";
    } else if (std::chrono::steady_clock::now() - begun_ > time_) {
      answer_.unknown_because = "--timeout " + flags_.timeout;
    }
    progress_.stage(answer_.path, "advising");
    return answer_.unknown_because.empty();
  }

  [[nodiscard]] double promotion_work() const {
    double operations = 0;
    for (const advise::Transaction& transaction : answer_.application.transactions) {
      operations += static_cast<double>(transaction.operations.size());
    }
    return operations * static_cast<double>(promotable(answer_.application).size()) *
           static_cast<double>(answer_.application.programs.size());
  }

  Status write(const std::vector<ToldCounterexample>& told) {
    if (flags_.write.empty()) {
      return {};
    }
    for (const ToldCounterexample& one : told) {
      const std::string& program = answer_.application.programs[one.program];
      std::string name = program.substr(0, program.find('('));
      std::ranges::replace(name, ' ', '-');
      std::erase(name, ',');
      if (Status written =
              write_file(std::filesystem::path(flags_.write) / (safe_file_name(name) + ".scenario"),
                         counterexample_scenario(answer_.application, one.interleaving,
                                                 title_of(answer_, one)));
          !written.ok()) {
        return written;
      }
    }
    return {};
  }

  Report report(const std::vector<ToldCounterexample>& told, bool is_programs) {
    progress_.clear();
    const OutputFormat format = output_format(flags_.input.output);
    const bool is_unknown = !answer_.unknown_because.empty();
    const std::size_t stories = flags_.stories.value_or(
        is_programs ? std::numeric_limits<std::size_t>::max() : kStoriesOfHistory);
    Report report = {.is_document = format != OutputFormat::kText};
    report.out = report.is_document ? advice_map(answer_, told, syntax_of(format))
                 : flags_.writes_sql && !is_unknown && answer_.advice.is_robust
                     ? advice_sql(answer_)
                     : advice_text(answer_, told, stories);
    report.code = is_unknown                 ? ExitCode::kUnknown
                  : answer_.advice.is_robust ? ExitCode::kOk
                                             : ExitCode::kInvalid;
    return report;
  }

  const AdviseFlags& flags_;
  std::chrono::milliseconds time_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Progress progress_;
  ProgramFile programs_ = {};                              // of a file of programs
  std::vector<std::vector<std::string>> operations_ = {};  // of a history, by transaction
  AdviseAnswer answer_ = {};
};

Result<ExitCode> run_advise(const AdviseFlags& flags) {
  if (are_many(flags.input.inputs)) {
    return usage_error("expected one history or file of programs, found several");
  }
  ELAPID_ASSIGN_OR_RETURN(const DatabaseLevels* const database, database_levels(flags.database));
  ELAPID_ASSIGN_OR_RETURN(const advise::OfferedLevels offered,
                          flags.levels.empty() ? Result<advise::OfferedLevels>(database->offered())
                                               : parse_offered(flags.levels, *database));
  ELAPID_ASSIGN_OR_RETURN(const std::chrono::milliseconds time, parse_duration(flags.timeout));
  ELAPID_ASSIGN_OR_RETURN(const ReadOptions options, read_options(flags.input));
  Progress progress(true);
  return print_reports(1, 1, progress, [&](std::size_t) {
    return AdviseRun(flags, *database, offered, time).run(options);
  });
}

}  // namespace

Command advise_command() {
  const auto flags = std::make_shared<AdviseFlags>();
  Command command = {.name = "advise",
                     .about = "The lowest isolation level of each transaction that is safe",
                     .run = [flags] { return run_advise(*flags); }};
  Options& options = command.options;
  add_reading_flags(options, flags->input);
  options.at("INPUT")
      .means("INPUT",
             "Programs in a file *.programs; or a history, whose committed transactions run "
             "once each: file, directory that is one run, or - for standard input; gzip and zstd "
             "too")
      .once();
  options.flag("-p,--programs", flags->reads_programs, "INPUT has programs, whatever its name");
  options.begin_group("What to advise");
  options
      .value("--database", "NAME", flags->database,
             "The database whose levels there are: postgres (default), oracle or sqlserver")
      .proposes(advised_databases());
  options
      .value("--levels", "NAMES", flags->levels,
             "Only these of them: rc (read committed), si (snapshot isolation), ssi (serializable)")
      .proposes({"rc", "si", "ssi"});
  options.value("--timeout", "DURATION", flags->timeout, "Time for it (default 10m)");
  options.begin_group("What to write");
  options.value("-o,--output", "FORM", flags->input.output, "text (default), edn or json")
      .one_of({"text", "edn", "json"});
  options.number("--stories", "N", flags->stories,
                 "Tell N counterexamples (default: 3 of a history, all of programs)");
  options.flag("--sql", flags->writes_sql,
               "Print a SET TRANSACTION statement for each transaction, or program, instead");
  options.value("--write", "DIR", flags->write,
                "Write each counterexample there as a scenario, for elapid run --scenario");
  return command;
}

}  // namespace elapid
