// elapid compare: runs several checkers on the same histories, and reports contradictions.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/compare/compare_record.h"
#include "adapter/cli/commands/compare/compare_request.h"
#include "adapter/cli/commands/compare/compare_table.h"
#include "adapter/cli/commands/compare/compared_history.h"
#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/ir/visible.h"
#include "harness/compare/agreement.h"

namespace elapid {
namespace {

/// How often a note applies, and where first.
struct Times {
  std::size_t count = 0;
  std::string first = {};
};

/// A comparison, from plans to answers.
class Comparison {
 public:
  Comparison(const CompareFlags& flags, CompareRequest request, std::vector<std::string> paths,
             std::optional<CompareRecord> record)
      : flags_(flags),
        request_(std::move(request)),
        paths_(std::move(paths)),
        record_(std::move(record)),
        plans_(paths_.size()),
        progress_(flags.quiet),
        form_(compare_form(flags.input.output)) {}

  Result<ExitCode> run() {
    if (plan() == ExitCode::kInterrupted) {
      return ExitCode::kInterrupted;
    }
    ELAPID_RETURN_IF_ERROR(leave_out_idle());
    ELAPID_RETURN_IF_ERROR(check_plans());
    table_.emplace(form_, request_, paths_);
    agreement_.emplace(request_.participants.size());
    say_plans();
    const ExitCode code = ask();
    if (code == ExitCode::kInterrupted) {
      return code;
    }
    const std::string end = table_->end(*agreement_);
    form_ == CompareForm::kText ? print_text(end) : print_document(end);
    return combine(code, vacuous() ? ExitCode::kUnknown : ExitCode::kOk);
  }

 private:
  /// Finds out, before anything runs, which checkers can be asked about which histories.
  ExitCode plan() {
    return print_reports(paths_.size(), request_.threads, progress_, [this](std::size_t input) {
      plans_[input] = plan_input(request_, paths_[input], progress_);
      return Report();
    });
  }

  /// Leaves out checkers that decide none of the claims, unless the user named checkers. Claims
  /// depend on the history. Error: kUsage if no checker is left beside Elapid.
  [[nodiscard]] Status leave_out_idle() {
    const auto is_unreadable = [](const PlannedInput& plan) { return plan.error.has_value(); };
    if (!request_.settings.asks_claims || !flags_.with.empty() ||
        std::ranges::all_of(plans_, is_unreadable)) {
      return {};
    }
    for (std::size_t place = request_.participants.size(); place-- > 0;) {
      const auto can_ask = [&](const PlannedInput& plan) { return plan.can_be_asked[place]; };
      if (request_.checker(place).engine != Engine::kAuto &&
          std::ranges::none_of(plans_, can_ask)) {
        leave_out(place);
      }
    }
    return request_.participants.size() > 1
               ? Status()
               : usage_error(
                     "no other installed checker can check the claims of these histories: name "
                     "some by --with NAMES (see elapid compare --list)");
  }

  void leave_out(std::size_t place) {
    const auto at = static_cast<std::ptrdiff_t>(place);
    request_.participants.erase(request_.participants.begin() + at);
    for (PlannedInput& plan : plans_) {
      plan.can_be_asked.erase(plan.can_be_asked.begin() + at);
      std::erase_if(plan.notes, [&](const PlanNote& note) { return note.checker == place; });
      for (PlanNote& note : plan.notes) {
        note.checker -= note.checker > place ? 1 : 0;
      }
    }
  }

  /// Error: kUsage for a checker that cannot be asked about any of the histories.
  [[nodiscard]] Status check_plans() const {
    for (std::size_t place = 0; place < request_.participants.size(); ++place) {
      std::string why;
      bool can_be_asked = false;
      for (const PlannedInput& plan : plans_) {
        can_be_asked |= plan.error.has_value() || plan.can_be_asked[place];
        for (const PlanNote& note : plan.notes) {
          why = note.checker == place && note.is_obstacle() && why.empty() ? note.text : why;
        }
      }
      if (!can_be_asked) {
        return usage_error(fmt::format("{} cannot be asked about any of these histories: {}",
                                       request_.checker(place).name, why));
      }
    }
    return {};
  }

  /// Prints a line for each obstacle of a checker, and one for each loss of its input.
  void say_plans() const {
    if (flags_.quiet) {
      return;
    }
    std::string notes;
    for (std::size_t place = 0; place < request_.participants.size(); ++place) {
      std::map<std::pair<char, std::string>, Times> times;
      for (const PlannedInput& plan : plans_) {
        for (const PlanNote& note : plan.notes) {
          if (note.checker == place) {
            Times& seen = times[{note.letter, note.text}];
            seen.first = seen.count++ == 0 ? note.label : seen.first;
          }
        }
      }
      for (const auto& [what, seen] : times) {
        notes += plan_line(request_.checker(place).name, what.first, what.second, seen);
      }
    }
    print_notes(notes);
  }

  static std::string plan_line(const std::string& name, char letter, const std::string& text,
                               const Times& seen) {
    const std::string where =
        seen.first + (seen.count == 1 ? "" : fmt::format(" and {} more", seen.count - 1));
    const std::string line = letter == ' '
                                 ? fmt::format("{} is not asked about {}: {}", name, where, text)
                                 : fmt::format("{} is shown {} with {} {}: {}", name, where, letter,
                                               letter >= 'a' ? "made up" : "lost", text);
    return "elapid: " + visible_line(line) + "\n";
  }

  ExitCode ask() {
    std::vector<std::vector<ComparedHistory>> all(paths_.size());
    const auto make = [&](std::size_t input) {
      Report report = {.is_document = form_ != CompareForm::kText};
      if (const std::optional<Error>& error = plans_[input].error) {
        append(report, error_report(*error));
        return report;
      }
      all[input] =
          compare_input(request_, paths_[input], record_ ? &*record_ : nullptr, progress_, report);
      const auto disagree = [](const ComparedHistory& history) { return !history.rulings.empty(); };
      if (std::ranges::any_of(all[input], disagree)) {
        report.code = combine(report.code, ExitCode::kInvalid);
      }
      return report;
    };
    const auto show = [&](std::size_t input, Report& report) {
      if (const std::optional<Error>& error = plans_[input].error) {
        report.out = table_->next_unreadable(paths_[input], error->message);
      }
      for (const ComparedHistory& history : all[input]) {
        agreement_->add(history.statements, history.workload);
        report.out += table_->next(history);
      }
      all[input].clear();
    };
    return print_reports(paths_.size(), request_.threads, progress_, make, show);
  }

  /// Whether some checker was compared with no other: its agreement shows nothing.
  [[nodiscard]] bool vacuous() const {
    for (std::size_t place = 0; place < request_.participants.size(); ++place) {
      if (agreement_->is_alone(place)) {
        return true;
      }
    }
    return false;
  }

  const CompareFlags& flags_;
  CompareRequest request_;
  std::vector<std::string> paths_;
  std::optional<CompareRecord> record_;
  std::vector<PlannedInput> plans_;
  Progress progress_;
  CompareForm form_;
  std::optional<CompareTable> table_ = {};
  std::optional<Agreement> agreement_ = {};
};

Result<ExitCode> run_list(const CompareFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(const std::vector<Checker> checkers, known_checkers(flags));
  print_text(checker_list(checkers, flags));
  return ExitCode::kOk;
}

Result<ExitCode> run_compare(const CompareFlags& flags) {
  if (flags.list) {
    return run_list(flags);
  }
  if (flags.input.inputs.empty()) {
    return usage_error("INPUT is missing: the histories to compare (see elapid compare --help)");
  }
  ELAPID_ASSIGN_OR_RETURN(CompareRequest request, compare_request(flags));
  ELAPID_ASSIGN_OR_RETURN(std::vector<std::string> paths, histories_named(flags.input));
  if (!flags.directory.empty()) {
    ELAPID_RETURN_IF_ERROR(check_places(paths));
  }
  std::optional<CompareRecord> record;
  if (!flags.record.empty()) {
    ELAPID_ASSIGN_OR_RETURN(
        record, CompareRecord::open(flags.record, answer_words(flags, add_compare_flags),
                                    program_stamp(ELAPID_VERSION)));
  }
  return Comparison(flags, std::move(request), std::move(paths), std::move(record)).run();
}

}  // namespace

Command compare_command() {
  const auto flags = std::make_shared<CompareFlags>();
  Command command = {.name = "compare",
                     .about = "Run several checkers and compare their verdicts",
                     .run = [flags] { return run_compare(*flags); }};
  add_compare_flags(command.options, *flags);
  return command;
}

}  // namespace elapid
