#include "adapter/cli/commands/levels/separator_report.h"

#include <fmt/format.h>

#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "engine/check/check.h"
#include "engine/levels/entailment.h"
#include "harness/separate/known_separators.h"
#include "harness/story/story_svg.h"
#include "harness/story/story_text.h"

namespace elapid {

namespace {

std::string why_none(Model allowing, Model forbidding) {
  if (entailed(allowing).test(forbidding)) {
    return fmt::format("every history that {} allows, {} allows too", friendly_name(allowing),
                       friendly_name(forbidding));
  }
  return fmt::format(
      "no history of at most {} transactions and {} operations is known to satisfy {} and to "
      "violate {}",
      kSearchedSize.txns, kSearchedSize.ops, friendly_name(allowing), friendly_name(forbidding));
}

std::string text_of(const KnownSeparator& known, Model allowing, Model forbidding,
                    const ToldStory& story) {
  return fmt::format("{}: {}\n{} allows it, {} forbids it\n\n{}", known.name, known.gloss,
                     friendly_name(allowing), friendly_name(forbidding), to_text(story));
}

}  // namespace

Result<ToldStory> story_of_violation(const History& history, Model forbidding) {
  ELAPID_ASSIGN_OR_RETURN(const Verdict verdict, check(history, {.models = {forbidding}}));
  return tell_story(history, verdict, {});
}

Result<ExitCode> print_separator(Model allowing, Model forbidding, const std::string& form) {
  if (form == "dot") {
    return usage_error("-o dot draws all levels; -o svg draws what separates two");
  }
  ELAPID_ASSIGN_OR_RETURN(const KnownSeparator* const known, find_separator(allowing, forbidding));
  if (known == nullptr) {
    const std::string why = why_none(allowing, forbidding);
    if (form != "text") {
      return usage_error(why);
    }
    print_text(why + "\n");
    return ExitCode::kOk;
  }
  const TinyHistory history = history_of(*known);
  ELAPID_ASSIGN_OR_RETURN(const ToldStory story, story_of_violation(build(history), forbidding));
  print_text(form == "edn"    ? to_edn(history)
             : form == "json" ? to_json(history)
             : form == "svg"  ? to_svg(story)
                              : text_of(*known, allowing, forbidding, story));
  return ExitCode::kOk;
}

}  // namespace elapid
