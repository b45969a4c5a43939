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

/// The steps of the story in its order, and that these levels are violated by them. Error kUsage
/// for what no scenario says: operations that are none on registers and lists, values that are not
/// whole numbers, and such that a key is given twice; and where no two transactions overlap, so
/// that a database that carries them out one after another cannot show it.
[[nodiscard]] Result<std::string> scenario_script(const History& history, const ToldStory& story,
                                                  ModelSet violated);

}  // namespace elapid
