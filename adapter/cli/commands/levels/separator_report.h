// The history between two levels: `elapid levels A B`.
#pragma once

#include <string>

#include "adapter/cli/exit_codes.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"
#include "harness/story/story.h"

namespace elapid {

/// Why `forbidding` forbids a history: its story at that level.
[[nodiscard]] Result<ToldStory> story_of_violation(const History& history, Model forbidding);

/// Prints a smallest history that `allowing` allows and `forbidding` forbids: its story, the
/// history as EDN or JSON, or its picture as SVG; or why there is none. Error: kUsage for another
/// form, and for a form other than the story if there is no history.
Result<ExitCode> print_separator(Model allowing, Model forbidding, const std::string& form);

}  // namespace elapid
