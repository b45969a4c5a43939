// elapid explain: an anomaly or a level, with an example that is checked as it is printed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/command.h"
#include "adapter/cli/commands/explain/anomaly_example.h"
#include "adapter/cli/commands/levels/separator_report.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/aligned.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/check/check.h"
#include "engine/evidence/gloss.h"
#include "engine/ir/mapped.h"
#include "engine/ir/similar_names.h"
#include "engine/levels/ladder.h"
#include "engine/levels/level_axioms.h"
#include "harness/separate/known_separators.h"
#include "harness/story/story_text.h"

namespace elapid {
namespace {

constexpr std::size_t kWidth = 96;

std::string wrapped(std::string_view text) {
  return "  " + in_lines(text, 2, 2, kWidth);
}

std::string part(std::string_view title, std::string_view text) {
  return fmt::format("\n{}\n", title) + wrapped(text);
}

std::string names_of(ModelSet models) {
  auto names = mapped<std::string_view>(models, [&](Model model) { return friendly_name(model); });
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

/// A story, each line indented.
std::string indented(const ToldStory& story) {
  const std::string text = to_text(story);
  std::string out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    out += line.empty() ? "\n" : fmt::format("  {}\n", line);
    begin = end + 1;
  }
  return out;
}

/// The example, and the levels that it satisfies and violates.
Result<std::string> shown(const TinyHistory& example, AnomalyType type) {
  const History history = build(example);
  ELAPID_ASSIGN_OR_RETURN(const Verdict all,
                          check(history, {.models = ModelSet::all(), .each_model = true}));
  const ModelSet holding = models_that_are(Validity::kValid, all.ladder);
  const ModelSet violated = models_that_are(Validity::kInvalid, all.ladder);
  ELAPID_ASSIGN_OR_RETURN(const Verdict verdict,
                          check(history, {.models = violated, .anomalies = AnomalySet{type}}));
  const ToldStory story = tell_story(history, verdict, {.anomaly = std::string(name(type))});
  return "\nExample\n" + indented(story) +
         part("The strongest levels that allow this history", names_of(strongest_of(holding))) +
         part("The weakest levels that forbid it", names_of(weakest_of(violated)));
}

Result<ExitCode> explain_anomaly(AnomalyType type) {
  const std::string few_words = gloss(type);
  std::string text = fmt::format("{}{}{}\n", name(type), few_words.empty() ? "" : ": ", few_words) +
                     part("Meaning", meaning(type));
  if (const std::optional<TinyHistory> example = example_of(type)) {
    ELAPID_ASSIGN_OR_RETURN(const std::string demonstration, shown(*example, type));
    text += demonstration;
  }
  print_text(text);
  return ExitCode::kOk;
}

/// A smallest known history that one level allows and the other forbids; empty if none is known.
Result<std::string> between(std::string_view title, Model allowing, Model forbidding) {
  ELAPID_ASSIGN_OR_RETURN(const KnownSeparator* const known, find_separator(allowing, forbidding));
  if (known == nullptr) {
    return std::string();
  }
  ELAPID_ASSIGN_OR_RETURN(const ToldStory story,
                          story_of_violation(build(history_of(*known)), forbidding));
  return fmt::format("\n{}: {}\n", title, known->gloss) + indented(story);
}

/// The examples that are known, one for each of `others`.
template <class Example>
Result<std::string> examples(ModelSet others, Example example) {
  std::string all;
  for (const Model other : others) {
    ELAPID_ASSIGN_OR_RETURN(const std::string text, example(other));
    all += text;
  }
  return all;
}

Result<ExitCode> explain_level(Model model) {
  const ModelDescription description = describe(model);
  std::string text = fmt::format("{} ({})\n", friendly_name(model), canonical_name(model)) +
                     part("Meaning", description.definition) + wrapped(description.source);
  if (const std::string rule = axiom(model); !rule.empty()) {
    text += part("As an axiom", rule);
  }
  const ModelSet weaker = strongest_of(entailed(model) & ~entailing(model));
  const ModelSet stronger = weakest_of(entailing(model) & ~entailed(model));
  const auto forbidden = examples(weaker, [&](Model other) {
    return between(fmt::format("Forbidden, and allowed at {}", friendly_name(other)), other, model);
  });
  const auto allowed = examples(stronger, [&](Model other) {
    return between(fmt::format("Allowed, and forbidden at {}", friendly_name(other)), model, other);
  });
  for (const Result<std::string>& between_them : {forbidden, allowed}) {
    ELAPID_RETURN_IF_ERROR(between_them);
    text += between_them.value();
  }
  text += part("The next weaker levels", names_of(weaker)) +
          part("The next stronger levels", names_of(stronger));
  print_text(text);
  return ExitCode::kOk;
}

ExitCode list_anomalies() {
  std::string text;
  for (const AnomalyType type : AnomalySet::all()) {
    text += fmt::format("{:<46} {}", name(type), gloss(type));
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
  }
  print_text(text);
  return ExitCode::kOk;
}

std::vector<std::string_view> all_names() {
  auto names =
      mapped<std::string_view>(AnomalySet::all(), [&](AnomalyType type) { return name(type); });
  for (const auto& [spelling, model] : all_model_names()) {
    names.push_back(spelling);
  }
  return names;
}

Error unknown_name(const std::string& name) {
  const std::vector<std::string> similar = similar_names(name, all_names());
  return usage_error(fmt::format("no level or anomaly `{}`; {}", name,
                                 similar.empty()
                                     ? "`elapid levels` and `elapid explain` list all"
                                     : fmt::format("did you mean {}?", fmt::join(similar, ", "))));
}

Result<ExitCode> run_explain(const std::string& name) {
  if (name.empty()) {
    return list_anomalies();
  }
  if (const std::optional<AnomalyType> type = find_anomaly(name)) {
    return explain_anomaly(*type);
  }
  const Result<Model> model = parse_model(name);
  return model.ok() ? explain_level(model.value()) : unknown_name(name);
}

}  // namespace

Command explain_command() {
  const auto name = std::make_shared<std::string>();
  Command command = {.name = "explain",
                     .about = "What an anomaly or a level is, with an example",
                     .run = [name] { return run_explain(*name); }};
  command.options
      .argument(
          "NAME", *name,
          "An anomaly, as G-single or lost-update, or a level, as serializable; without one: a "
          "table of all anomalies")
      .proposes(all_names());
  return command;
}

}  // namespace elapid
