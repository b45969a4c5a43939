// A counterexample of `elapid advise`: as a story, and as a scenario for a database.
//
//   set postgres T1: set session characteristics as transaction isolation level repeatable read
//   T1: [:r :savings.1]                  ; found []
//   T2: [:append :savings.1 2]
//   ...
//   expect postgres: not serializable, all commit
//
// Items are lists. Each transaction appends its number in the story.
#pragma once

#include <string>

#include "engine/advise/interleaving.h"
#include "harness/story/story.h"

namespace elapid {

/// `read committed`, `snapshot isolation`, `serializable`.
[[nodiscard]] std::string_view level_text(advise::Level level);

/// A column for each transaction, a row for each step, and the dependencies of the cycle.
[[nodiscard]] ToldStory tell_counterexample(const advise::Application& application,
                                            const advise::Interleaving& interleaving,
                                            const std::string& title);

/// A file for `elapid run --scenario` (docs/scenarios.md). Each session sets its own level on
/// PostgreSQL, so the level of the run does not matter. `about`: one line.
[[nodiscard]] std::string counterexample_scenario(const advise::Application& application,
                                                  const advise::Interleaving& interleaving,
                                                  const std::string& about);

}  // namespace elapid
