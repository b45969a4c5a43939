// elapid predict: predicts other results of the same sessions at a weaker level.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "adapter/certificate/certificate.h"
#include "adapter/cli/command.h"
#include "adapter/cli/commands/convert/convert_jobs.h"
#include "adapter/cli/commands/predict/predict_report.h"
#include "adapter/cli/commands/predict/predicted.h"
#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/interrupt.h"
#include "adapter/elle/description_text.h"
#include "adapter/elle/evidence_dir.h"
#include "engine/ir/visible.h"
#include "engine/predict/predict.h"
#include "harness/predict/line_client.h"
#include "harness/predict/trace_client.h"
#include "parsers/formats.h"
#include "parsers/write.h"

namespace elapid {
namespace {

using predict::BoundaryKind;
using predict::Explained;
using predict::Found;
using predict::Observation;
using predict::Predictor;

struct PredictFlags {
  InputFlags input = {};
  std::string level = {};
  std::string target = "ser";
  std::string boundary = "relaxed";
  bool from_unserializable = false;
  std::size_t all = 1;
  std::string write = {};
  std::string directory = {};
  std::string certificate = {};
  std::string to = {};
  std::string command = {};  ///< --validate
  bool validates_trace = false;
  std::string store = "predicted";
  std::uint64_t seed = 1;
  std::string timeout = "10m";
  std::uint64_t orders = 0;
};

Result<PredictLevels> levels_of(const PredictFlags& flags) {
  PredictLevels levels = {.level_name = flags.level, .target_name = flags.target};
  for (const bool is_target : {false, true}) {
    const std::string& name = is_target ? flags.target : flags.level;
    ELAPID_ASSIGN_OR_RETURN(const Model named, parse_model(name));
    ELAPID_ASSIGN_OR_RETURN(const Model model, level_with_sessions(named, name, is_target));
    (is_target ? levels.target : levels.level) = model;
  }
  if (order_level(levels.target)->visibility >= order_level(levels.level)->visibility) {
    return usage_error(
        fmt::format("the target must be stronger than the level: {} is not stronger "
                    "than {}",
                    flags.target, flags.level));
  }
  levels.level_name = friendly_name(levels.level);
  levels.target_name = friendly_name(levels.target);
  return levels;
}

class PredictRun {
 public:
  PredictRun(const PredictFlags& flags, PredictLevels levels, std::chrono::milliseconds time)
      : flags_(flags), time_(time), progress_(false) {
    answer_.path = flags.input.inputs.front();
    answer_.levels = std::move(levels);
    answer_.boundary = flags.boundary == "strict" ? BoundaryKind::kStrict : BoundaryKind::kRelaxed;
  }

  Result<Report> run(const ReadOptions& options) {
    catch_interrupt();
    ELAPID_RETURN_IF_ERROR(look_at_output());
    ELAPID_ASSIGN_OR_RETURN(LoadedHistory loaded, read_input(answer_.path, options, progress_));
    const History& history = loaded.history();
    const Result<Observation> observation = predict::observe(history);
    if (!observation) {
      return in_file(observation.error());
    }
    if (const Status status = look_at(history, observation.value()); !status) {
      return in_file(status.error());
    }
    if (flags_.store == "random") {
      return make_random_run(history, observation.value());
    }
    if (const Status status = search(history, observation.value()); !status) {
      return in_file(status.error());
    }
    ELAPID_RETURN_IF_ERROR(validate(history, observation.value()));
    ELAPID_RETURN_IF_ERROR(write());
    ELAPID_RETURN_IF_ERROR(write_pictures());
    ELAPID_RETURN_IF_ERROR(write_certificate(history, observation.value()));
    return report(loaded, observation.value());
  }

 private:
  /// Checks the output's format before the search begins.
  [[nodiscard]] Status look_at_output() const {
    if (flags_.write.empty()) {
      return {};
    }
    const Result<const Target*> target = target_of();
    return target ? Status() : Status(target.error());
  }

  [[nodiscard]] Error in_file(Error error) const {
    if (error.file.empty()) {
      error.file = answer_.path;
    }
    return error;
  }

  /// Whether the budget lasts.
  bool goes_on() {
    is_interrupted_ = is_interrupted_ || take_interrupt();  // what was found is told all the same
    if (is_interrupted_) {
      answer_.unknown_because = "an interrupt";
    } else if (std::chrono::steady_clock::now() - begun_ > time_) {
      answer_.unknown_because = "--timeout " + flags_.timeout;
    } else {
      progress_.stage(answer_.path, "predicting");
      return true;
    }
    return false;
  }

  /// Notes facts of the observation, and the assumptions about it.
  Status look_at(const History& history, const Observation& observation) {
    answer_.from_observed = observation.txns.size() - 1;
    if (observation.sessions.empty()) {
      return usage_error("no committed transaction that could be predicted from");
    }
    if (!history.info().has_process) {
      return usage_error(
          "the history does not tell the sessions of its transactions: a prediction needs them");
    }
    add_assumptions(history, observation);
    if (flags_.from_unserializable) {
      return {};
    }
    CheckOptions options;
    options.models.set(answer_.levels.target);
    options.has_budget = [this] { return goes_on(); };
    options.spent_budget = "--timeout " + flags_.timeout;
    ELAPID_ASSIGN_OR_RETURN(const Verdict verdict, check(history, options));
    if (verdict.validity == Validity::kInvalid) {
      return usage_error(
          fmt::format("the history itself is not {}, which `elapid check` explains; "
                      "--from-unserializable predicts from it all the same",
                      answer_.levels.target_name));
    }
    return {};
  }

  void add_assumptions(const History& history, const Observation& observation) {
    answer_.assumes.push_back(
        "a client does the same as long as it reads the same, and boundary transactions commit");
    answer_.assumes.push_back("session order counts");
    const auto names = [&](const std::vector<TxnId>& txns) {
      std::string text;
      for (std::size_t i = 0; i < std::min<std::size_t>(txns.size(), 8); ++i) {
        text += (i > 0 ? "; " : "") + place_in_session(history, txns[i]);
      }
      return txns.size() > 8 ? fmt::format("{}; and {} more", text, txns.size() - 8) : text;
    };
    if (!observation.left_out.empty()) {
      answer_.assumes.push_back(
          "transactions that did not commit, or are not known to, have no effect again: " +
          names(observation.left_out));
    }
    if (!observation.taken_in.empty()) {
      answer_.assumes.push_back(
          "transactions whose outcome is unknown committed, as others read "
          "from them: " +
          names(observation.taken_in));
    }
  }

  Status search(const History& history, const Observation& observation) {
    predictor_ = std::make_unique<Predictor>(
        observation,
        predict::PredictOptions{.level = order_level(answer_.levels.level)->visibility,
                                .target = order_level(answer_.levels.target)->visibility,
                                .boundary = answer_.boundary,
                                .most_orders = flags_.orders,
                                .keeps_orders = !flags_.certificate.empty(),
                                .keep_going = [this] { return goes_on(); }});
    std::set<std::vector<std::uint32_t>> seen;
    while (answer_.predictions.size() < flags_.all) {
      const Found found = predictor_->next();
      if (found != Found::kPrediction) {
        answer_.is_complete = found == Found::kNone;
        if (!answer_.is_complete && answer_.unknown_because.empty()) {
          answer_.unknown_because = fmt::format("--orders {}", flags_.orders);
        }
        break;
      }
      if (!seen.insert(predictor_->contradicting()).second) {
        continue;
      }
      ELAPID_ASSIGN_OR_RETURN(Predicted predicted,
                              check_prediction(history, observation, answer_.levels, *predictor_));
      answer_.predictions.push_back(std::move(predicted));
    }
    answer_.orders = predictor_->orders();
    std::ranges::stable_sort(answer_.predictions, {},
                             [](const Predicted& one) { return std::pair(one.changed, one.kept); });
    return {};
  }

  /// Runs a client again on a store that answers as predicted.
  Status validate(const History& history, const Observation& observation) {
    if (flags_.command.empty() && !flags_.validates_trace) {
      return {};
    }
    for (Predicted& predicted : answer_.predictions) {
      ELAPID_ASSIGN_OR_RETURN(const std::unique_ptr<ReplayClient> client, make_client(history));
      ELAPID_ASSIGN_OR_RETURN(
          predicted.replayed,
          replay_prediction(history, observation, predicted.prediction, answer_.levels.level,
                            answer_.levels.target, *client));
    }
    return {};
  }

  /// Without a prediction, runs the client on a store that answers each read at random among the
  /// values that the level allows.
  Result<Report> make_random_run(const History& history, const Observation& observation) {
    ELAPID_ASSIGN_OR_RETURN(const std::unique_ptr<ReplayClient> client, make_client(history));
    ELAPID_ASSIGN_OR_RETURN(const RandomRun run,
                            run_at_random(history, observation, answer_.levels.level,
                                          answer_.levels.target, flags_.seed, *client));
    if (!flags_.write.empty()) {
      ELAPID_RETURN_IF_ERROR(write_to(flags_.write, run.history));
    }
    progress_.clear();
    return Report{.out =
                      fmt::format("{}: a run of {} transactions that {} allows, seed {}: {}{}\n",
                                  visible_line(answer_.path), run.history.txn_count(),
                                  answer_.levels.level_name, flags_.seed,
                                  run.satisfies_target ? "" : "not ", answer_.levels.target_name)};
  }

  [[nodiscard]] Result<std::unique_ptr<ReplayClient>> make_client(const History& history) const {
    constexpr std::chrono::seconds kPatience{10};
    if (flags_.validates_trace) {
      return std::unique_ptr<ReplayClient>(std::make_unique<TraceClient>(history));
    }
    ELAPID_ASSIGN_OR_RETURN(LineProgram program, LineProgram::start(flags_.command));
    return std::unique_ptr<ReplayClient>(
        std::make_unique<LineClient>(std::move(program), kPatience));
  }

  /// Where the n-th prediction goes: `FILE`, `FILE.2` with the extension kept, ...
  [[nodiscard]] std::string output_of(std::size_t n) const {
    if (n == 0) {
      return flags_.write;
    }
    std::filesystem::path path(flags_.write);
    const std::string extension = path.extension().string();
    path.replace_extension();
    return fmt::format("{}.{}{}", path.string(), n + 1, extension);
  }

  Status write() {
    if (flags_.write.empty()) {
      return {};
    }
    for (std::size_t i = 0; i < answer_.predictions.size(); ++i) {
      ELAPID_RETURN_IF_ERROR(write_to(output_of(i), answer_.predictions[i].history));
    }
    return {};
  }

  /// Writes texts and pictures of each prediction that violates the target, in a folder of its own.
  Status write_pictures() {
    for (std::size_t i = 0; !flags_.directory.empty() && i < answer_.predictions.size(); ++i) {
      const std::string name = fmt::format("prediction-{}", i + 1);
      ELAPID_RETURN_IF_ERROR(write_evidence(
          std::filesystem::path(flags_.directory) / name, answer_.predictions[i].history,
          answer_.predictions[i].verdict, {.history = name + " of " + answer_.path}));
    }
    return {};
  }

  /// Writes the orders that explain all executions that the level allows, if there is no
  /// prediction.
  Status write_certificate(const History& history, const Observation& observation) {
    if (flags_.certificate.empty() || !answer_.is_complete || !answer_.predictions.empty()) {
      return {};
    }
    const Visibility target = order_level(answer_.levels.target)->visibility;
    certify::NoPrediction claim = {.level = order_level(answer_.levels.level)->visibility,
                                   .target = target,
                                   .is_strict = answer_.boundary == BoundaryKind::kStrict};
    for (const predict::EventOrder& order : predictor_->explaining_orders()) {
      claim.orders.push_back(predict::events_in_order(observation, order, target));
    }
    return write_no_prediction(flags_.certificate, history, answer_.levels.level,
                               answer_.levels.target, claim);
  }

  [[nodiscard]] Status write_to(const std::string& path, const History& history) const {
    ELAPID_ASSIGN_OR_RETURN(const Target* const target, target_of());
    const Result<ConversionReport> written =
        write_history(history, history.workload(), path, {.target = target});
    return written ? Status() : Status(written.error());
  }

  [[nodiscard]] Result<const Target*> target_of() const {
    const Target* target = target_of_extension(flags_.write);
    if (!flags_.to.empty()) {
      ELAPID_ASSIGN_OR_RETURN(const FormatName format, parse_format(flags_.to));
      target = find_target(format);
    }
    return target != nullptr ? Result<const Target*>(target)
                             : usage_error("say with --to which format that can be written " +
                                           flags_.write + " is to have");
  }

  Report report(LoadedHistory& loaded, const Observation& observation) {
    progress_.clear();
    const ProgramNames names = program_names(loaded, observation);
    Report report;
    const OutputFormat format = output_format(flags_.input.output);
    report.is_document = format != OutputFormat::kText;
    report.out =
        report.is_document
            ? prediction_map(loaded.history(), observation, answer_, names, syntax_of(format))
            : prediction_text(loaded.history(), observation, answer_, names);
    report.code = !answer_.predictions.empty() ? ExitCode::kInvalid
                  : answer_.is_complete        ? ExitCode::kOk
                                               : ExitCode::kUnknown;
    return report;
  }

  /// The function of each transaction, where the source has one other than `:txn`.
  static ProgramNames program_names(LoadedHistory& loaded, const Observation& observation) {
    ProgramNames names(observation.txns.size());
    if (loaded.format().format->opens_details == nullptr) {
      return names;
    }
    for (std::uint32_t t = 1; t < observation.txns.size(); ++t) {
      const SourcePosition position =
          loaded.history().representative(observation.txns[t].txn).position;
      const Result<EventDetails> details = loaded.details(position);
      if (details && details.value().f != ":txn" && details.value().f != "nil") {
        names[t] = visible_line(details.value().f);
      }
    }
    return names;
  }

  const PredictFlags& flags_;
  std::chrono::milliseconds time_;
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  Progress progress_;
  std::unique_ptr<Predictor> predictor_;
  bool is_interrupted_ = false;
  PredictAnswer answer_;
};

Result<ExitCode> run_predict(const PredictFlags& flags) {
  if (are_many(flags.input.inputs)) {
    return usage_error("expected one history, found several");
  }
  if (flags.store == "random" && flags.command.empty() && !flags.validates_trace) {
    return usage_error("--store random needs a client: --validate CMD, or --validate-trace");
  }
  if (flags.write == "-" && flags.all > 1) {
    return usage_error("--write - has room for one prediction, not for those of --all");
  }
  ELAPID_ASSIGN_OR_RETURN(const PredictLevels levels, levels_of(flags));
  ELAPID_ASSIGN_OR_RETURN(const std::chrono::milliseconds time, parse_duration(flags.timeout));
  ELAPID_ASSIGN_OR_RETURN(const ReadOptions options, read_options(flags.input));
  Progress progress(true);
  return print_reports(1, 1, progress,
                       [&](std::size_t) { return PredictRun(flags, levels, time).run(options); });
}

}  // namespace

Command predict_command() {
  const auto flags = std::make_shared<PredictFlags>();
  Command command = {.name = "predict",
                     .about = "What a weaker level would still allow the same sessions",
                     .run = [flags] { return run_predict(*flags); }};
  Options& options = command.options;
  add_reading_flags(options, flags->input);
  options.at("INPUT")
      .means("INPUT",
             "A history that is serializable: file, directory that is one run, or - for standard "
             "input; gzip and zstd too")
      .once();
  options.begin_group("What to predict");
  options
      .value("-c,--consistency-models,--levels", "LEVEL", flags->level,
             "The level that allows it: rc, ra, cc, pc or si")
      .proposes({"rc", "ra", "cc", "pc", "si"})
      .required();
  options
      .value("--target", "LEVEL", flags->target,
             "The stronger level that it violates (default ser)")
      .proposes({"ser", "si", "pc", "cc", "ra"});
  options
      .value("--boundary", "KIND", flags->boundary,
             "Where a session stops that reads something else: relaxed (default), after the whole "
             "transaction; strict, with the first such read")
      .one_of({"relaxed", "strict"});
  options.flag("--from-unserializable", flags->from_unserializable,
               "Predict although the history itself violates the target");
  options.number("--all", "N", flags->all,
                 "Up to N predictions whose contradicting transactions differ (default 1)",
                 {.least = 1});
  options.begin_group("Whether it comes about");
  options.value("--validate", "CMD", flags->command,
                "Run this client again, a shell command, on a store that answers as predicted");
  options
      .flag("--validate-trace", flags->validates_trace,
            "The same with the operations as they were observed")
      .excludes("--validate");
  options
      .value("--store", "NAME", flags->store,
             "What the client's reads show: predicted (default), or random: no prediction, but a "
             "run that the level allows")
      .one_of({"predicted", "random"});
  options.number("--seed", "N", flags->seed, "The same seed makes the same random run (default 1)");
  options.begin_group("How hard to try");
  options.value("--timeout", "DURATION", flags->timeout, "Time for the search (default 10m)");
  options.number("--orders", "N", flags->orders,
                 "Learn from N orders at most; deterministic (default: no limit)", {.least = 1});
  options.begin_group("What to write");
  options.value("-o,--output", "FORM", flags->input.output, "text (default), edn or json")
      .one_of({"text", "edn", "json"});
  options.value("--write", "FILE", flags->write,
                "Write the predicted execution there as a history; of several the second to "
                "FILE.2, and so on, before the extension");
  options.value("-d,--directory", "DIR", flags->directory,
                "Write what shows the violation there, texts and pictures; a folder for each "
                "prediction");
  options.value("--certificate", "FILE", flags->certificate,
                "If there is no prediction, write the proof of that to FILE, for certify");
  options.value("-t,--to", "FORMAT", flags->to, "Its format; otherwise told by FILE's extension")
      .proposes(format_names());
  return command;
}

}  // namespace elapid
