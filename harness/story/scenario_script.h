// A story as a scenario, which `elapid run --scenario` plays on a database (docs/scenarios.md).
//
//   session-0: [:r :x]      ; found nil
//   session-1: [:r :y]      ; found nil
//   ...
//   expect not serializable
#pragma once

#include <string>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "harness/story/story.h"

namespace elapid {

/// The steps of the story in order, with the expectation that they violate these levels. Error:
/// kUsage for operations that are not on registers and lists, for values that are not whole numbers
/// or that a key gets twice, and if no two transactions overlap, since a database that runs them
/// one after another cannot show the violation.
[[nodiscard]] Result<std::string> scenario_script(const History& history, const ToldStory& story,
                                                  ModelSet violated);

}  // namespace elapid
