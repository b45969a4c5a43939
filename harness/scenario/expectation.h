// Whether the results of a scenario are as its file expects.
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

// Checks the history of a performance for levels and anomalies.

struct Judgement {
  Validity serializable = Validity::kUnknown;
  /// The anomalies of a check of serializability, in the order of the verdict. Names that only say
  /// that there is no order are left out if there are other names.
  std::vector<AnomalyType> anomalies = {};
  std::string unknown_because = {};       ///< why serializable is kUnknown
  std::map<Model, Validity> levels = {};  ///< asked levels that apply to such histories
};

/// Judges a history (history_text()), and each of these levels by itself. Leaves out levels that
/// are never decided for such histories. Error: kInternal if the history cannot be read.
[[nodiscard]] Result<Judgement> judge(const Scenario& scenario, const std::string& history,
                                      ModelSet levels);

/// An order that was played, and its judgement.
struct Played {
  Performance performance = {};
  Judgement judgement = {};
};

/// The place where a scenario is played.
struct ScenarioVenue {
  const DriverInfo& driver;
  const DatabaseUri& uri;
  std::string_view level;
};

/// Whether the expectation applies to this place.
[[nodiscard]] bool applies(const Expectation& expectation, const ScenarioVenue& venue);

/// The levels in the expectations of this scenario.
[[nodiscard]] ModelSet levels_expected(const Scenario& scenario);

/// The result that contradicts the expectation, over all played orders; the first order is that of
/// the file. Empty if the expectation is met.
[[nodiscard]] std::string what_else(const Expectation& expectation, const Scenario& scenario,
                                    std::span<const Played> orders);

}  // namespace elapid
