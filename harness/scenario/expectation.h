// Whether a scenario came out as its file expects.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "engine/verdict/verdict.h"
#include "harness/drive/driver.h"
#include "harness/scenario/play.h"
#include "harness/scenario/scenario.h"
#include "parsers/read.h"

namespace elapid {

// Checks the history of a performance: levels and anomalies.

struct Judgement {
  Validity serializable = Validity::kUnknown;
  /// What was found where serializability is asked for, in the order of the verdict; without names
  /// that only say that there is no order, where there are others.
  std::vector<AnomalyType> anomalies = {};
  std::string unknown_because = {};       ///< serializable is kUnknown: why
  std::map<Model, Validity> levels = {};  ///< those asked for that such histories have
};

/// Judges a history (history_text()), and each of these levels by itself. A level that is never
/// decided for such histories is left out. Error kInternal: what was written cannot be read.
[[nodiscard]] Result<Judgement> judge(const Scenario& scenario, const std::string& history,
                                      ModelSet levels);

/// An order that was played, and its judgement.
struct Played {
  Performance performance = {};
  Judgement judgement = {};
};

/// Where a scenario is played.
struct ScenarioVenue {
  const DriverInfo& driver;
  const DatabaseUri& uri;
  std::string_view level;
};

/// Whether something is expected there.
[[nodiscard]] bool applies(const Expectation& expectation, const ScenarioVenue& venue);

/// The levels that expectations of this scenario ask about.
[[nodiscard]] ModelSet levels_expected(const Scenario& scenario);

/// What happened instead, in all orders that were played, of which the first is the file's; empty
/// where it is as expected.
[[nodiscard]] std::string what_else(const Expectation& expectation, const Scenario& scenario,
                                    std::span<const Played> orders);

}  // namespace elapid
