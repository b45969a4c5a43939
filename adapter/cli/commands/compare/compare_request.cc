#include "adapter/cli/commands/compare/compare_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "adapter/cli/options/check_request.h"
#include "adapter/cli/reports/source_details.h"
#include "adapter/cli/terminal/interrupt.h"
#include "engine/ir/mapped.h"
#include "harness/compare/checker_reader.h"
#include "harness/compare/question.h"
#include "parsers/door/door.h"
#include "parsers/door/test_settings.h"
#include "parsers/format.h"

namespace elapid {
namespace {

constexpr std::string_view kOwn = "elapid";

using Programs = std::map<std::string, std::string>;  // by the checker's name

/// The paths of programs from --checker NAME=PATH. Error: kUsage for other text.
Result<Programs> told_programs(const CompareFlags& flags) {
  Programs programs;
  for (const std::string& word : flags.programs) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      return usage_error(fmt::format("--checker: expected NAME=PATH, found '{}'", word));
    }
    programs[word.substr(0, equals)] = word.substr(equals + 1);
  }
  return programs;
}

std::optional<std::string> told(const Programs& programs, const std::string& name) {
  const auto found = programs.find(name);
  return found == programs.end() ? std::nullopt : std::optional(found->second);
}

const Checker* find_checker(const std::vector<Checker>& checkers, std::string_view name) {
  const auto found = std::ranges::find(checkers, name, &Checker::name);
  return found == checkers.end() ? nullptr : &*found;
}

Error unknown_checker(const std::vector<Checker>& checkers, std::string_view name) {
  auto names = mapped<std::string_view>(checkers, &Checker::name);
  return usage_error(fmt::format("there is no checker {}{} (see elapid compare --list)", name,
                                 nearest(name, names)));
}

/// The path of the checker's program. The error says which flag names it.
Result<std::string> program_of(const Checker& checker, const Programs& programs) {
  Result<std::string> program = find_program(checker, told(programs, checker.name));
  if (!program) {
    std::string& message = program.error().message;
    message = fmt::format("the checker {}: {}{}", checker.name, message,
                          told(programs, checker.name)
                              ? ""
                              : fmt::format("; --checker {}=PATH says where it is", checker.name));
  }
  return program;
}

/// The checkers that --with names, in its order.
Result<std::vector<Participant>> named_participants(const CompareFlags& flags,
                                                    const std::vector<Checker>& checkers,
                                                    const Programs& programs) {
  std::vector<Participant> participants;
  for (const std::string_view name : split_list(flags.with)) {
    const Checker* checker = find_checker(checkers, name);
    if (checker == nullptr) {
      return unknown_checker(checkers, name);
    }
    const auto is_same = [&](const Participant& other) { return other.checker.name == name; };
    if (std::ranges::any_of(participants, is_same)) {
      continue;
    }
    ELAPID_ASSIGN_OR_RETURN(std::string program, program_of(*checker, programs));
    participants.push_back({*checker, std::move(program)});
  }
  if (participants.size() < 2) {
    return usage_error("--with: a comparison needs two checkers or more");
  }
  return participants;
}

/// Whether the checker can be asked about one of the levels, or a form of it.
bool decides_one_of(const Checker& checker, const std::vector<NamedModel>& wanted) {
  return std::ranges::any_of(wanted, [&](const NamedModel& level) {
    return can_ask(checker, level.model) ||
           std::ranges::any_of(checker.levels, [&](const CheckerLevel& own) {
             return are_forms_of_one(own.model, level.model);
           });
  });
}

/// All checkers that are installed, with Elapid's own answer.
Result<std::vector<Participant>> present_participants(const std::vector<Checker>& checkers,
                                                      const Programs& programs,
                                                      const std::vector<NamedModel>& wanted,
                                                      bool asks_claims) {
  std::vector<Participant> participants;
  for (const Checker& checker : checkers) {
    const bool is_stand_in = asks_claims && checker.engine == Engine::kElle;  // for Jepsen
    const bool is_wanted = checker.engine ? checker.name == kOwn || is_stand_in
                                          : asks_claims || decides_one_of(checker, wanted);
    // A checker without a default program comes from a file that the user named.
    Result<std::string> program = program_of(checker, programs);
    if (is_wanted && program) {
      participants.push_back({checker, std::move(program).value()});
    } else if (!program && told(programs, checker.name)) {
      return std::move(program.error());
    }
  }
  if (participants.size() < 2) {
    return usage_error(
        "no other installed checker decides these levels: give the path of one by --checker "
        "NAME=PATH, describe one by --checkers FILE, or name some by --with NAMES (see elapid "
        "compare --list)");
  }
  return participants;
}

Status check_decided(const std::vector<Participant>& participants,
                     const std::vector<NamedModel>& wanted, const std::string& levels) {
  for (const Participant& participant : participants) {
    if (!decides_one_of(participant.checker, wanted)) {
      return usage_error(
          fmt::format("the checker {} decides none of {} (see elapid compare --list)",
                      participant.checker.name, levels));
    }
  }
  return {};
}

std::vector<NamedModel> named_questions(const std::vector<NamedModel>& wanted,
                                        const std::vector<Participant>& participants) {
  std::vector<Model> models;
  std::vector<const Checker*> checkers;
  for (const NamedModel& level : wanted) {
    models.push_back(level.model);
  }
  for (const Participant& participant : participants) {
    checkers.push_back(&participant.checker);
  }
  std::vector<NamedModel> named;
  for (const Model model : questions(models, checkers)) {
    const auto found = std::ranges::find(wanted, model, &NamedModel::model);
    named.push_back(
        {model, found == wanted.end() ? std::string(friendly_name(model)) : found->name});
  }
  return named;
}

/// The levels that most mixes lie between.
constexpr std::string_view kLevelsOfMixes =
    "read-committed,read-atomic,causal,snapshot-isolation,serializable";

/// The levels to ask about, and whether the levels that transactions ask for are checked too. If
/// only those are, checkers are asked about kLevelsOfMixes.
std::pair<std::string, bool> asked_levels_of(const CompareFlags& flags) {
  std::vector<std::string_view> levels = split_list(flags.levels);
  const bool by_transaction = std::erase(levels, kByTransaction) > 0 || !flags.level_rules.empty();
  if (levels.empty() && by_transaction) {
    levels = {kLevelsOfMixes};
  }
  return {fmt::format("{}", fmt::join(levels, ",")), by_transaction};
}

Result<RunLimits> run_limits(const CompareFlags& flags) {
  RunLimits limits = {.memory = default_memory()};
  ELAPID_ASSIGN_OR_RETURN(limits.time, parse_duration(flags.timeout));
  ELAPID_ASSIGN_OR_RETURN(limits.grace, parse_duration(flags.grace));
  if (!flags.memory.empty()) {
    ELAPID_ASSIGN_OR_RETURN(limits.memory, parse_bytes(flags.memory));
  }
  return limits;
}

/// The levels' names, separated by commas, as `read-committed, serializable`.
std::string levels_of(const Checker& checker) {
  auto names = mapped<std::string_view>(
      checker.levels, [&](const CheckerLevel& level) { return friendly_name(level.model); });
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string formats_of(const Checker& checker) {
  auto names = mapped<std::string>(checker.inputs,
                                   [&](const CheckerInput& input) { return text(*input.target); });
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_checker_flags(Options& options, CompareFlags& flags) {
  options.begin_group("What to compare");
  options
      .value("-c,--consistency-models,--levels", "NAMES", flags.levels,
             "Levels to ask about: comma-separated, or all (see elapid levels); by-transaction "
             "for those that transactions asked for (--level-of). Otherwise those that check "
             "demands of each history by default, or of a workload without levels its claim")
      .proposes(level_words());
  add_level_rules(options, flags.level_rules);
  options.value("--with", "NAMES", flags.with,
                "Checkers, comma-separated; otherwise elapid and all that are here");
  options.values("--checkers", "FILE", flags.descriptions,
                 "Descriptions of further checkers (docs/harness.md); may be repeated");
  options.values("--checker", "NAME=PATH", flags.programs,
                 "Where a checker's program is; may be repeated");
  options.flag("--list", flags.list, "List the checkers that there are, and do nothing else");
  options.flag("--lossy", flags.lossy,
               "Convert for checkers even if the conversion can change the verdict");
}

void add_limit_flags(Options& options, CompareFlags& flags) {
  options.begin_group("How hard to try");
  options.value("--timeout", "DURATION", flags.timeout,
                "Time for one run of a checker, as 90s or 5m (default 5m)");
  options.value("--memory", "SIZE", flags.memory,
                "Memory for a checker's data, as 2G (default: half of what there is)");
  options.value("--grace", "DURATION", flags.grace,
                "Time between asking a program to end and killing it (default 2s)");
  options.value("--record", "FILE", flags.record,
                "Note finished runs in FILE, and do not repeat those that it has");
}

}  // namespace

void add_compare_flags(Options& options, CompareFlags& flags) {
  add_input_flags(options, flags.input);
  options.at("INPUT").required(false);
  options.at("--output")
      .means("FORM", "text (default), json, jsonl (a map a line) or csv")
      .one_of({"text", "json", "jsonl", "csv"});
  options.value("-d,--directory", "DIR", flags.directory,
                "Write a certificate of each disagreement below it");
  options.flag("--minimize", flags.minimize, "Write a minimal history that still shows it, too");
  options.flag("-q,--quiet", flags.quiet, "Only the results");
  add_checker_flags(options, flags);
  add_limit_flags(options, flags);
  // A remembered answer is found by level and checker; the other flags here do not change answers.
  for (const std::string_view name : {"-c", "--with", "--checkers", "--checker", "--list",
                                      "--grace", "--record", "-d", "--minimize", "-q"}) {
    options.at(name).changes_no_answer();
  }
}

const std::string& name_of(std::span<const NamedModel> questions, Model question) {
  return std::ranges::find(questions, question, &NamedModel::model)->name;
}

CompareRequest request_about(const CompareRequest& request, LoadedHistory& loaded) {
  CompareRequest own = request;
  own.settings.details = source_details(loaded);
  if (!request.settings.asks_claims) {
    return own;
  }
  own.settings.check.settings = with_settings_of_test(loaded, request.settings.check.settings);
  const CheckJob job = {
      .read = request.read, .check = {.models = {Model::kPlSs}}, .demands_default = true};
  CheckOptions demanded;
  own.levels_not_used = set_demands(job, loaded, demanded);
  own.by_transaction = demanded.by_transaction;
  if (demanded.by_transaction) {
    own.questions = parse_model_list(kLevelsOfMixes, false).value();
  } else if (demanded.models.any()) {
    for (const Model model : demanded.models) {
      const std::string_view name = model == Model::kPlSs ? kDefaultModel : friendly_name(model);
      own.questions.push_back({model, std::string(name)});
    }
  } else {  // The level stands for the claim: CompareSettings::asks_claims.
    own.questions = {{Model::kPlSs, "claim"}};
  }
  return own;
}

Result<std::vector<Checker>> known_checkers(const CompareFlags& flags) {
  std::vector<Checker> all = builtin_checkers();
  for (const std::string& file : flags.descriptions) {
    ELAPID_ASSIGN_OR_RETURN(std::vector<Checker> described, read_checkers(file));
    for (Checker& checker : described) {
      const auto old = std::ranges::find(all, checker.name, &Checker::name);
      if (old == all.end()) {
        all.push_back(std::move(checker));
      } else {
        *old = std::move(checker);
      }
    }
  }
  return all;
}

std::string checker_list(const std::vector<Checker>& checkers, const CompareFlags& flags) {
  const Result<Programs> programs = told_programs(flags);
  std::string out;
  for (const Checker& checker : checkers) {
    const Result<std::string> program =
        find_program(checker, programs ? told(programs.value(), checker.name) : std::nullopt);
    out += fmt::format("{}\n", checker.name);
    out += checker.about.empty() ? "" : fmt::format("  {}\n", checker.about);
    if (!checker.engine) {
      out += fmt::format("  levels   {}\n  formats  {}\n  program  {}\n", levels_of(checker),
                         formats_of(checker),
                         !program                  ? program.error().message
                         : program.value().empty() ? "part of its command"
                                                   : program.value());
    }
    for (const Weakness& weakness : checker.weaknesses) {
      out += fmt::format("  weak     {}\n", weakness.about);
    }
  }
  return out;
}

Result<CompareRequest> compare_request(const CompareFlags& flags) {
  const auto [levels, by_transaction] = asked_levels_of(flags);
  const bool asks_claims = levels.empty();
  std::vector<NamedModel> wanted;
  if (!asks_claims) {
    ELAPID_ASSIGN_OR_RETURN(wanted, parse_model_list(levels, false));
  }
  ELAPID_ASSIGN_OR_RETURN(LevelRules rules, level_rules_of(flags.level_rules));
  ELAPID_ASSIGN_OR_RETURN(const std::vector<Checker> checkers, known_checkers(flags));
  ELAPID_ASSIGN_OR_RETURN(const Programs programs, told_programs(flags));
  for (const auto& [name, path] : programs) {
    if (find_checker(checkers, name) == nullptr) {
      return unknown_checker(checkers, name);
    }
  }
  ELAPID_ASSIGN_OR_RETURN(std::vector<Participant> participants,
                          flags.with.empty()
                              ? present_participants(checkers, programs, wanted, asks_claims)
                              : named_participants(flags, checkers, programs));
  if (!asks_claims) {
    ELAPID_RETURN_IF_ERROR(check_decided(participants, wanted, levels));
  }
  ELAPID_ASSIGN_OR_RETURN(ReadOptions read, read_options(flags.input));
  const bool is_recognised = !read.workload;
  ELAPID_ASSIGN_OR_RETURN(const RunLimits limits, run_limits(flags));
  if (flags.minimize && flags.directory.empty()) {
    return usage_error("--minimize needs -d, --directory, where minimal histories are written");
  }
  CompareRequest request = {
      .participants = std::move(participants),
      .by_transaction = by_transaction,
      .level_rules = std::move(rules),
      .settings = {.asks_claims = asks_claims,
                   .limits = limits,
                   .policy = flags.lossy ? LossPolicy::kAny : LossPolicy::kNamed,
                   .any_loss = "--lossy",
                   .check = {.claims_in_general = is_recognised, .words = kCheckFlags},
                   .is_cancelled = interrupted},
      .read = std::move(read),
      .directory = flags.directory,
      .minimizes = flags.minimize,
      .threads = thread_count(flags.input),
      .reading = reading_words({.input = flags.input, .level_rules = flags.level_rules})};
  request.questions = named_questions(wanted, request.participants);
  return request;
}

}  // namespace elapid
