#include "harness/compare/compare.h"

#include <fmt/format.h>
#include <unistd.h>
#include <ctime>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "engine/check/refusal.h"
#include "engine/ir/mapped.h"
#include "engine/workloads/table.h"
#include "harness/compare/command.h"
#include "harness/compare/question.h"
#include "harness/compare/verdict_reading.h"
#include "parsers/convert/written_values.h"
#include "parsers/door/door.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

CheckerAnswer not_asked(std::string reason) {
  return {.outcome = Outcome::kNotAsked, .reason = std::move(reason)};
}

CheckerAnswer failed(std::string reason) {
  return {.outcome = Outcome::kFailed, .reason = std::move(reason)};
}

bool has_letter(const Presentation& presentation, std::string_view letters) {
  return std::ranges::any_of(presentation.losses, [&](const Loss& loss) {
    return letters.find(loss.letter) != std::string_view::npos;
  });
}

bool has_status(const History& history, TxnStatus status) {
  for (std::uint32_t txn = 0; txn < history.txn_count(); ++txn) {
    if (history.status(TxnId{txn}) == status) {
      return true;
    }
  }
  return false;
}

bool writes_values_twice(const History& history) {
  const WrittenValues written(history);
  const auto is_same = [](const WrittenValues::Write& a, const WrittenValues::Write& b) {
    return a.key == b.key && a.value == b.value;
  };
  return std::ranges::adjacent_find(written.all(), is_same) != written.all().end();
}

/// An assumption of the checker that the history breaks.
std::optional<std::string> broken_assumption(const History& history, const Checker& checker,
                                             const Target& target) {
  const CheckerAssumptions& assumed = checker.assumptions;
  if (assumed.unique_values && target.repeats && history.workload().has_levels() &&
      writes_values_twice(history)) {
    return "assumes that no value is written to a key twice";
  }
  const bool shows_aborted = target.aborted || target.aborted_writes;
  if (assumed.aborted == Treatment::kCommitted && shows_aborted &&
      has_status(history, TxnStatus::kAborted)) {
    return "takes aborted transactions for committed ones";
  }
  if (assumed.indeterminate == Treatment::kCommitted && target.indeterminate &&
      has_status(history, TxnStatus::kIndeterminate)) {
    return "takes transactions of unknown outcome for committed ones";
  }
  return std::nullopt;
}

std::chrono::nanoseconds thread_cpu_time() {
  timespec time = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

std::string content(const std::string& path, std::size_t limit) {
  std::ifstream file(path, std::ios::binary);
  std::string text(limit, '\0');
  file.read(text.data(), static_cast<std::streamsize>(limit));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return text;
}

/// The memory for a program's data, where the limit includes its own overhead.
std::string memory_words(const RunLimits& limits) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1024} * 1024;
  const std::uint64_t bytes = limits.memory.value_or(default_memory().value_or(4096 * kMebibyte));
  return std::to_string(std::max<std::uint64_t>(1, bytes / kMebibyte * 3 / 4));
}

/// Whether the question is the claim of the workload's judge. Other workloads have levels.
bool is_judged_claim(const History& history, const CompareSettings& settings) {
  return settings.asks_claims && row_of(history.workload()).judge != nullptr;
}

/// The level that a program is asked about: linearizability where that is what is claimed.
/// Nothing where it is asked about the claim of a workload that it names in its description.
std::optional<Model> asked_model(const History& history, const Checker& checker, Model question,
                                 const CompareSettings& settings) {
  if (!is_judged_claim(history, settings)) {
    return question;
  }
  const WorkloadRow& row = row_of(history.workload());
  const bool is_object = row.models.test(Model::kLinearizable) && !row.has_own_claim;
  const bool is_named = checker.workloads.contains(std::string(history.workload().name()));
  const bool has_level = level_for(checker, Model::kLinearizable) != nullptr;
  return is_object && (has_level || !is_named) ? std::optional(Model::kLinearizable) : std::nullopt;
}

}  // namespace

CheckOptions options_for(const History& history, Engine engine, Model question,
                         const CompareSettings& settings) {
  CheckOptions options = settings.check;
  const bool is_claim = is_judged_claim(history, settings);
  options.models = is_claim ? ModelSet() : ModelSet{question};
  options.assumptions.elle_compat = is_claim && engine == Engine::kElle;
  options.engine = options.assumptions.elle_compat ? Engine::kAuto : engine;
  options.threads = 1;
  return options;
}

Limits limits_of_check(const CompareSettings& settings, std::string words) {
  return {.time = settings.limits.time,
          .memory = default_memory(),
          .words = std::move(words),
          .is_cancelled = settings.is_cancelled};
}

Result<std::string> find_program(const Checker& checker, const std::optional<std::string>& told) {
  if (!checker.needs_program()) {
    return std::string();
  }
  std::error_code ignored;
  const auto there = [&](const std::string& path, const std::string& from) -> Result<std::string> {
    // A class path may contain several paths.
    const std::string first = path.substr(0, path.find(':'));
    return fs::exists(first, ignored)
               ? Result<std::string>(fs::absolute(first, ignored).string() +
                                     path.substr(first.size()))
               : Error{.kind = ErrorKind::kUnreadable,
                       .message = fmt::format("{} is not there ({})", first, from)};
  };
  if (told) {
    return there(*told, "as told");
  }
  if (!checker.environment.empty()) {
    const char* value = std::getenv(checker.environment.c_str());
    if (value != nullptr && *value != '\0') {
      return there(value, "as " + checker.environment + " says");
    }
  }
  const std::string found = checker.program.empty() ? "" : find_on_path(checker.program);
  if (!found.empty()) {
    return found;
  }
  const std::string path =
      checker.program.empty() ? "" : fmt::format("{} is not on the PATH", checker.program);
  const std::string variable =
      checker.environment.empty() ? "" : fmt::format("{} is not set", checker.environment);
  return Error{.kind = ErrorKind::kUnreadable,
               .message = fmt::format("not here: {}{}{}", path,
                                      path.empty() || variable.empty() ? "" : ", and ", variable)};
}

Presentation present(const History& history, const Checker& checker,
                     const CompareSettings& settings) {
  Presentation presentation;
  const WorkloadRow& row = row_of(history.workload());
  const bool asks_own_claim = settings.asks_claims && row.has_own_claim;
  const bool has_levels = history.workload().has_levels() || (row.models.any() && !asks_own_claim);
  if (!has_levels && !settings.asks_claims) {
    presentation.refusal = "a workload without levels: only its claim can be compared";
    return presentation;
  }
  if (checker.engine) {
    return presentation;
  }
  const std::string workload(history.workload().name());
  if ((!checker.workloads.empty() || !has_levels) && !checker.workloads.contains(workload)) {
    presentation.refusal = "does not know the workload " + workload;
    return presentation;
  }
  for (const CheckerInput& input : checker.inputs) {
    const Result<ConversionReport> planned = plan_conversion(history, history.workload(),
                                                             {.target = input.target,
                                                              .policy = settings.policy,
                                                              .details = settings.details,
                                                              .any_loss = settings.any_loss});
    if (planned) {
      return {.input = &input, .losses = planned.value().losses};
    }
    presentation.refusal += (presentation.refusal.empty() ? "" : "; ") + planned.error().message;
  }
  return presentation;
}

std::optional<std::string> obstacle(const History& history, const Checker& checker,
                                    const Presentation& presentation, Model question,
                                    const CompareSettings& settings) {
  const std::optional<Model> level = asked_model(history, checker, question, settings);
  if (!checker.engine && level && level_for(checker, *level, history.workload()) == nullptr) {
    return fmt::format("does not decide {}{}", friendly_name(*level),
                       can_ask(checker, *level) ? " of rows and predicates" : "");
  }
  if (!presentation.refusal.empty()) {
    return presentation.refusal;
  }
  if (checker.engine) {
    const CheckOptions options = options_for(history, *checker.engine, question, settings);
    const std::optional<Error> refused = refusal(history, options);
    if (!refused && options.engine != Engine::kAuto &&
        is_judged(row_of(history.workload()), options)) {
      return "orders no single operations, which only the workload's own engine does";
    }
    return refused ? std::optional(refused->message) : std::nullopt;
  }
  const Needs needs = level ? needs_of(*level) : Needs();
  const std::string format = text(*presentation.input->target);
  if (needs.real_time && (has_letter(presentation, "Tp") || !history.info().has_real_time)) {
    return "as " + format + " the history has not the real time that the level needs";
  }
  if (needs.sessions && has_letter(presentation, "S")) {
    return "as " + format + " the history has not the sessions that the level needs";
  }
  if (checker.assumptions.believes_timestamps && has_letter(presentation, "t")) {
    return "believes timestamps, and the history has none";
  }
  return broken_assumption(history, checker, *presentation.input->target);
}

Result<ShownHistory> ShownHistory::create(const History& history, const CompareSettings& settings) {
  ELAPID_ASSIGN_OR_RETURN(ScratchFolder scratch, ScratchFolder::create());
  return ShownHistory(history, settings, std::move(scratch));
}

CheckerAnswer ShownHistory::ask(const Participant& participant, Model question) {
  const Checker& checker = participant.checker;
  const Presentation& form = presentation(checker);
  if (const auto why = obstacle(*history_, checker, form, question, *settings_)) {
    return not_asked(*why);
  }
  if (checker.engine) {
    return ask_engine(options_for(*history_, *checker.engine, question, *settings_));
  }
  const Model level = asked_model(*history_, checker, question, *settings_).value_or(question);
  return ask_program(participant, level_for(checker, level, history_->workload()), form);
}

CheckerAnswer ShownHistory::ask_by_transaction() const {
  CheckOptions options = options_for(*history_, Engine::kAuto, Model::kPl3, *settings_);
  options.models = {};
  options.by_transaction = true;
  return ask_engine(std::move(options));
}

CheckerAnswer ShownHistory::ask_engine(CheckOptions options) const {
  set_limits(limits_of_check(*settings_, "the limit of time or memory"), options);
  const auto begun = std::chrono::steady_clock::now();
  const auto cpu = thread_cpu_time();
  const Result<Verdict> verdict = check_history(*history_, options);
  CheckerAnswer answer;
  if (verdict) {
    answer.outcome = outcome_of(verdict.value().validity);
    answer.reason = verdict.value().unknown_because.value_or("");
  } else {
    const bool is_refusal = verdict.error().kind == ErrorKind::kUsage;
    answer = is_refusal ? not_asked(verdict.error().message) : failed(verdict.error().to_string());
  }
  answer.cpu_time = std::chrono::duration_cast<std::chrono::microseconds>(thread_cpu_time() - cpu);
  answer.wall_time = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begun);
  return answer;
}

CheckerAnswer ShownHistory::ask_program(const Participant& participant, const CheckerLevel* level,
                                        const Presentation& presentation) {
  const Checker& checker = participant.checker;
  const CheckerInput& input = *presentation.input;
  const Result<std::string> shown = converted(input);
  const Result<std::string> work = scratch_.folder("run-" + std::to_string(runs_++));
  if (!shown || !work) {
    return failed("could not be shown the history: " +
                  (!shown ? shown.error() : work.error()).to_string());
  }
  const std::string workload(history_->workload().name());
  const auto called = checker.workloads.find(workload);
  const CommandWords words = {
      .input = shown.value(),
      .dir = fs::path(shown.value()).parent_path().string(),
      .work = work.value(),
      .level = level == nullptr ? std::vector<std::string>() : level->words,
      .format = input.word,
      .workload = called == checker.workloads.end() ? workload : called->second,
      .program = participant.program,
      .here = checker.folder,
      .memory = memory_words(settings_->limits)};
  const ProgramRun run = run_program(expand(checker.command, words), work.value(),
                                     settings_->limits, settings_->is_cancelled);
  auto files = mapped<std::string>(checker.verdict.files, [&](const std::string& file) {
    return content(expand(file, words).front(), settings_->limits.output);
  });
  std::error_code ignored;
  fs::remove_all(work.value(), ignored);
  CheckerAnswer answer = read_verdict(checker.verdict, run, files, settings_->limits);
  answer.format = text(*input.target);
  answer.losses = loss_letters(presentation.losses);
  for (const Loss& loss : presentation.losses) {
    const bool is_new = answer.excuses.find(loss.letter) == std::string::npos;
    answer.excuses += loss.changes_verdict && is_new ? std::string(1, loss.letter) : "";
  }
  return answer;
}

const Presentation& ShownHistory::presentation(const Checker& checker) {
  auto known = presentations_.find(checker.name);
  if (known == presentations_.end()) {
    known = presentations_.emplace(checker.name, present(*history_, checker, *settings_)).first;
  }
  return known->second;
}

Result<std::string> ShownHistory::converted(const CheckerInput& input) {
  const std::string name =
      input.file.empty() ? "history" + std::string(input.target->extension) : input.file;
  const std::string key = text(*input.target) + "/" + name;
  if (const auto known = converted_.find(key); known != converted_.end()) {
    return known->second;
  }
  Result<std::string> path = scratch_.folder("form-" + std::to_string(converted_.size()));
  if (path) {
    path.value() += "/" + name;
    const Result<ConversionReport> written = write_history(
        *history_, history_->workload(), path.value(),
        {.target = input.target, .policy = settings_->policy, .details = settings_->details});
    if (!written) {
      path = written.error();
    } else if (!written.value().map.empty()) {
      std::error_code ignored;  // a file beside the history might be taken for a history
      fs::remove(written.value().map, ignored);
    }
  }
  return converted_.emplace(key, std::move(path)).first->second;
}

}  // namespace elapid
