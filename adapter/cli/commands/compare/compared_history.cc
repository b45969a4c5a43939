#include "adapter/cli/commands/compare/compared_history.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/reports/report_folder.h"
#include "adapter/elle/file_output.h"
#include "adapter/report/level_words.h"
#include "adapter/report/report_model.h"
#include "engine/ir/mapped.h"
#include "harness/compare/mix_bounds.h"
#include "harness/compare/question.h"
#include "parsers/door/door.h"

namespace elapid {
namespace {

/// `elapid and polysi say valid`.
std::string sides_text(const CompareRequest& request, const std::vector<Side>& sides,
                       std::string_view word) {
  auto names = mapped<std::string>(
      sides, [&](const Side& side) { return request.checker(side.checker).name; });
  return fmt::format("{} {} {}", listed_words(names), names.size() == 1 ? "says" : "say", word);
}

std::string ruling_text(const CompareRequest& request, const Ruling& ruling) {
  const Disagreement& about = ruling.disagreement;
  return fmt::format("{}: {}, {}. Elapid: {}{}{}.", name_of(request.questions, about.question),
                     sides_text(request, about.valid, "valid"),
                     sides_text(request, about.invalid, "invalid"), validity_word(ruling.elapid),
                     ruling.because.empty() ? "" : ", " + ruling.because,
                     ruling.is_verified ? "; its certificate was verified" : "");
}

/// The same question as a request of `elapid check`.
CheckRequest check_request_of(const CompareRequest& request) {
  std::string levels;
  for (const NamedModel& question : request.questions) {
    levels += (levels.empty() ? "" : ",") + question.name;
  }
  const std::string asked = request.settings.asks_claims ? "" : " -c " + shell_word(levels);
  return {.question = request.reading + asked, .reading = request.reading};
}

Result<Verdict> own_verdict(const CompareRequest& request, const LoadedHistory& loaded) {
  CheckOptions options = options_for(loaded.history(), Engine::kAuto,
                                     request.questions.front().model, request.settings);
  for (std::size_t i = 1; i < request.questions.size(); ++i) {
    options.models.set(request.questions[i].model);
  }
  options.by_transaction = request.by_transaction && request.settings.asks_claims;
  set_limits(limits_of_check(request.settings, "--timeout"), options);
  return check_loaded(loaded, options);
}

/// What each checker said, for the report.
ReportOpinions opinions_of(const CompareRequest& request, const ComparedHistory& history) {
  ReportOpinions opinions;
  for (const NamedModel& question : request.questions) {
    opinions.levels.push_back(question.name);
  }
  for (std::size_t place = 0; place < request.participants.size(); ++place) {
    ReportOpinions::Row row{.checker = request.checker(place).name};
    for (const NamedModel& question : request.questions) {
      row.answers.emplace_back();
      for (const Statement& statement : history.statements) {
        if (statement.checker == place && statement.question == question.model) {
          row.answers.back() = std::string(name(statement.answer.outcome));
        }
      }
    }
    opinions.rows.push_back(std::move(row));
  }
  for (const Ruling& ruling : history.rulings) {
    opinions.rulings.push_back(ruling_text(request, ruling));
  }
  return opinions;
}

/// Writes Elapid's report into the history's folder, with what each checker said. Writes nothing
/// where checkers agree or no files are wanted. The result holds the errors.
Report report_comparison(const CompareRequest& request, const std::string& path,
                         LoadedHistory& loaded, const ComparedHistory& history) {
  if (request.directory.empty() || history.rulings.empty()) {
    return {};
  }
  std::filesystem::path folder = std::filesystem::path(request.directory) / place_of_evidence(path);
  if (!loaded.key().empty()) {
    folder /= safe_file_name("key-" + loaded.key());
  }
  const Result<Verdict> verdict = own_verdict(request, loaded);
  if (!verdict) {
    return error_report(verdict.error());
  }
  const Status written =
      write_files(folder, path,
                  files_of_report(check_request_of(request), path, loaded, verdict.value(),
                                  opinions_of(request, history)));
  return written ? Report() : error_report(written.error());
}

/// The questions that a checker decides. With claims they depend on the history.
std::vector<Model> asked_of(const CompareRequest& request, const Checker& checker) {
  std::vector<Model> models;
  for (const NamedModel& question : request.questions) {
    if (request.settings.asks_claims || can_ask(checker, question.model)) {
      models.push_back(question.model);
    }
  }
  return models;
}

void plan_history(const CompareRequest& of_all, const std::string& label, LoadedHistory& loaded,
                  PlannedInput& planned) {
  const History& history = loaded.history();
  const CompareRequest request = request_about(of_all, loaded);
  for (std::size_t place = 0; place < request.participants.size(); ++place) {
    const Checker& checker = request.checker(place);
    const Presentation presentation = present(history, checker, request.settings);
    bool can_be_asked = false;
    std::string why;
    for (const Model question : asked_of(request, checker)) {
      const std::optional<std::string> in_the_way =
          obstacle(history, checker, presentation, question, request.settings);
      can_be_asked |= !in_the_way;
      why = in_the_way.value_or(why);
    }
    if (!can_be_asked) {
      planned.notes.push_back({.checker = place, .text = why, .label = label});
      continue;
    }
    planned.can_be_asked[place] = true;
    for (const Loss& loss : presentation.losses) {
      if (!loss.is_trivial()) {
        planned.notes.push_back(
            {.checker = place, .text = loss.what, .letter = loss.letter, .label = label});
      }
    }
  }
}

/// The record of answers about one input, if there is one.
struct Memory {
  CompareRecord* record = nullptr;
  std::string stamp = {};  ///< of the input
};

/// Asks each checker each question about one history.
class Interview {
 public:
  Interview(const CompareRequest& request, const std::string& path, LoadedHistory& loaded,
            const Memory& memory, Progress& progress, Report& report)
      : request_(request),
        path_(path),
        loaded_(loaded),
        memory_(memory),
        progress_(progress),
        report_(report) {}

  ComparedHistory run() {
    ComparedHistory compared = {.label = label_of(path_, loaded_),
                                .format = text(loaded_.format()),
                                .workload = loaded_.history().workload(),
                                .transactions = loaded_.history().txn_count(),
                                .questions = request_.questions};
    Result<ShownHistory> shown = ShownHistory::create(loaded_.history(), request_.settings);
    if (!shown) {
      append(report_, error_report(shown.error()));
      return compared;
    }
    std::optional<MixBounds> mix;
    if (request_.by_transaction) {
      Result<MixBounds> bounds = MixBounds::create(loaded_.history());
      if (!bounds) {
        bounds.error().file = compared.label;
        append(report_, error_report(bounds.error()));
        return compared;
      }
      mix = std::move(bounds).value();
    }
    for (const NamedModel& question : request_.questions) {
      for (std::size_t place = 0; place < request_.participants.size(); ++place) {
        const bool says_nothing =
            mix && !mix->is_below(question.model) && !mix->is_above(question.model);
        compared.statements.push_back(
            {.checker = place,
             .question = question.model,
             .answer = says_nothing ? CheckerAnswer{.reason = "does not decide the mix"}
                                    : ask(place, question, shown.value())});
      }
    }
    for (std::size_t place = 0; mix && place < request_.participants.size(); ++place) {
      compared.by_transaction.push_back(request_.checker(place).engine == Engine::kAuto
                                            ? shown.value().ask_by_transaction()
                                            : mix->answer_of(compared.statements, place));
    }
    for (const Disagreement& found : disagreements(compared.statements, compared.workload)) {
      compared.rulings.push_back(
          rule_on(request_, path_, loaded_, found, compared.statements, progress_, report_));
    }
    return compared;
  }

 private:
  CheckerAnswer ask(std::size_t place, const NamedModel& question, ShownHistory& shown) {
    const Participant& participant = request_.participants[place];
    const RecordedQuestion recorded = {.path = path_,
                                       .stamp = memory_.stamp,
                                       .key = loaded_.key(),
                                       .level = question.name,
                                       .participant = &participant};
    if (memory_.record != nullptr) {
      if (std::optional<CheckerAnswer> known = memory_.record->find(recorded)) {
        return std::move(*known);
      }
    }
    if (!progress_.stage(path_, participant.checker.name)) {
      return {.outcome = Outcome::kFailed, .reason = "was interrupted"};
    }
    CheckerAnswer answer = shown.ask(participant, question.model);
    const bool is_worth_noting =
        answer.outcome != Outcome::kNotAsked &&
        !(request_.settings.is_cancelled && request_.settings.is_cancelled());
    if (memory_.record != nullptr && is_worth_noting) {
      if (const Status noted = memory_.record->note(recorded, answer); !noted.ok()) {
        append(report_, error_report(noted.error()));
      }
    }
    return answer;
  }

  const CompareRequest& request_;
  const std::string& path_;
  LoadedHistory& loaded_;
  const Memory& memory_;
  Progress& progress_;
  Report& report_;
};

}  // namespace

PlannedInput plan_input(const CompareRequest& request, const std::string& path,
                        Progress& progress) {
  PlannedInput planned;
  planned.can_be_asked.assign(request.participants.size(), false);
  std::error_code ignored;
  if (!can_be_reread(path) && (path == "-" || std::filesystem::exists(path, ignored))) {
    planned.can_be_asked.assign(request.participants.size(), true);
    return planned;
  }
  Result<std::vector<LoadedHistory>> loaded = read_inputs(path, request.read, progress);
  if (!loaded) {
    planned.error = loaded.error();
    return planned;
  }
  for (LoadedHistory& history : loaded.value()) {
    plan_history(request, label_of(path, history), history, planned);
  }
  return planned;
}

std::vector<ComparedHistory> compare_input(const CompareRequest& request, const std::string& path,
                                           CompareRecord* record, Progress& progress,
                                           Report& report) {
  std::vector<ComparedHistory> compared;
  Memory memory;
  if (record != nullptr && can_be_reread(path)) {
    memory = {.record = record, .stamp = stamp_of(path)};
  }
  Result<std::vector<LoadedHistory>> loaded = read_inputs(path, request.read, progress);
  if (!loaded) {
    append(report, error_report(loaded.error()));
    return compared;
  }
  for (LoadedHistory& history : loaded.value()) {
    for (const std::string& warning : apply(request.level_rules, history.history())) {
      report.err += "elapid: " + label_of(path, history) + ": " + warning + "\n";
    }
    const CompareRequest own = request_about(request, history);
    if (!own.levels_not_used.empty()) {
      report.err += "elapid: " + label_of(path, history) + ": " + own.levels_not_used + "\n";
    }
    compared.push_back(Interview(own, path, history, memory, progress, report).run());
    append(report, report_comparison(own, path, history, compared.back()));
  }
  return compared;
}

}  // namespace elapid
