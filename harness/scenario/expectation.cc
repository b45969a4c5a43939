#include "harness/scenario/expectation.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/door/door.h"
#include "parsers/formats.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace elapid {
namespace {

bool applies(const ScenarioPlace& place, const ScenarioVenue& venue) {
  const auto has_value = [&](const auto& parameter) {
    const auto known =
        std::ranges::find(venue.driver.parameters, parameter.first, &DriverParameter::name);
    const std::string_view otherwise = known == venue.driver.parameters.end()
                                           ? std::string_view()
                                           : known->values.substr(0, known->values.find(','));
    return venue.uri.parameter(parameter.first, otherwise) == parameter.second;
  };
  return (place.database.empty() || place.database == venue.driver.name) &&
         (place.level.empty() || place.level == venue.level) &&
         std::ranges::all_of(place.parameters, has_value);
}

std::string names_of(std::span<const Played> orders) {
  std::string names;
  for (const Played& played : orders) {
    for (const AnomalyType type : played.judgement.anomalies) {
      const std::string_view more = name(type);
      if (names.find(more) == std::string::npos) {
        names += (names.empty() ? "" : ", ") + std::string(more);
      }
    }
  }
  return names.empty() ? "nothing" : names;
}

/// Describes what happened instead of what was expected; empty if nothing differs.
class Difference {
 public:
  Difference(const Scenario& scenario, std::span<const Played> orders)
      : scenario_(scenario), orders_(orders) {}

  std::string operator()(const ExpectNothing& /*nothing*/) const {
    for (const Played& played : orders_) {
      if (played.judgement.serializable == Validity::kUnknown) {
        return "it is unknown whether it is serializable: " + played.judgement.unknown_because;
      }
    }
    const bool all = std::ranges::all_of(orders_, [](const Played& played) {
      return played.judgement.serializable == Validity::kValid;
    });
    return all ? "" : names_of(orders_) + " was found";
  }

  std::string operator()(const ExpectAnomaly& expected) const {
    const bool any = std::ranges::any_of(orders_, [&](const Played& played) {
      const auto& found = played.judgement.anomalies;
      return std::ranges::find(found, expected.type) != found.end();
    });
    return any ? "" : names_of(orders_) + " was found";
  }

  std::string operator()(const ExpectLevel& expected) const {
    const std::string level(friendly_name(expected.model));
    const auto is = [&](Validity validity) {
      return std::ranges::count_if(orders_, [&](const Played& played) {
        const auto found = played.judgement.levels.find(expected.model);
        return found != played.judgement.levels.end() && found->second == validity;
      });
    };
    if (!expected.holds) {
      return is(Validity::kInvalid) > 0 ? "" : level + " was not violated";
    }
    return is(Validity::kInvalid) > 0 ? level + " was violated: " + names_of(orders_)
           : is(Validity::kValid) < std::ssize(orders_)
               ? "it is unknown whether " + level + " holds"
               : "";
  }

  std::string operator()(const ExpectCommits& /*commits*/) const {
    for (const Played& played : orders_) {
      for (std::size_t i = 0; i < scenario_.steps.size(); ++i) {
        const StepFate& fate = played.performance.steps[i];
        if (fate.kind == StepFate::Kind::kFailed) {
          return "step " + std::to_string(i + 1) + " failed: " + std::string(name(fate.error()));
        }
      }
    }
    return "";
  }

  std::string operator()(const ExpectFailures& expected) const {
    std::vector<std::size_t> failing;
    for (std::size_t i = 0; i < orders_.size(); ++i) {
      if (std::ranges::any_of(orders_[i].performance.steps, [](const StepFate& fate) {
            return fate.kind == StepFate::Kind::kFailed;
          })) {
        failing.push_back(i);
      }
    }
    if (expected.count ? failing.size() == *expected.count : failing == expected.orders) {
      return "";
    }
    if (expected.count) {
      return std::to_string(failing.size()) + " did";
    }
    std::string numbers;
    for (const std::size_t order : failing) {
      numbers += (numbers.empty() ? "" : " ") + std::to_string(order + 1);
    }
    return failing.empty() ? "none did" : numbers + " did";
  }

  std::string operator()(const ExpectStep& expected) const {
    const StepFate& fate = orders_[expected.order].performance.steps[expected.step];
    const bool failed = fate.kind == StepFate::Kind::kFailed;
    const std::string what = fate.kind == StepFate::Kind::kNotReached ? "was not reached"
                             : failed      ? "failed: " + std::string(name(fate.error()))
                             : fate.waited ? "waited, and succeeded"
                                           : "succeeded at once";
    const bool is_met = expected.fate == ExpectStep::Fate::kWaits ? fate.waited
                        : expected.fate == ExpectStep::Fate::kFails
                            ? failed && (!expected.error || *expected.error == fate.error())
                            : fate.kind == StepFate::Kind::kDone;
    return is_met ? "" : "it " + what;
  }

 private:
  const Scenario& scenario_;
  std::span<const Played> orders_;
};

}  // namespace

bool applies(const Expectation& expectation, const ScenarioVenue& venue) {
  return expectation.places.empty() ||
         std::ranges::any_of(expectation.places,
                             [&](const ScenarioPlace& place) { return applies(place, venue); });
}

ModelSet levels_expected(const Scenario& scenario) {
  ModelSet levels;
  for (const Expectation& expectation : scenario.expectations) {
    if (const auto* const level = std::get_if<ExpectLevel>(&expectation.what)) {
      levels.set(level->model);
    }
  }
  return levels;
}

std::string what_else(const Expectation& expectation, const Scenario& scenario,
                      std::span<const Played> orders) {
  return std::visit(Difference(scenario, orders), expectation.what);
}

namespace {

/// `PL-3-cycle-exists` and the like say no more than that the level is violated.
bool is_nameless(AnomalyType type) {
  return name(type).ends_with("-cycle-exists");
}

std::vector<AnomalyType> distinct_types(const Verdict& verdict) {
  std::vector<AnomalyType> types;
  for (const Anomaly& anomaly : verdict.anomalies) {
    if (std::ranges::find(types, anomaly.type) == types.end()) {
      types.push_back(anomaly.type);
    }
  }
  if (!std::ranges::all_of(types, is_nameless)) {
    std::erase_if(types, is_nameless);
  }
  return types;
}

}  // namespace

Result<Judgement> judge(const Scenario& scenario, const std::string& history, ModelSet levels) {
  ReadOptions read;
  read.format = find_format("edn");
  read.workload = scenario.script.workload();
  const Result<LoadedHistory> loaded = read_history(memory_source(scenario.name, history), read);
  if (!loaded) {
    return Error{.kind = ErrorKind::kInternal,
                 .message = "the history of " + scenario.name +
                            " cannot be read: " + loaded.error().to_string()};
  }
  ELAPID_ASSIGN_OR_RETURN(const Verdict verdict,
                          check_loaded(loaded.value(), {.models = {Model::kPl3}}));
  Judgement judgement = {.serializable = verdict.validity,
                         .anomalies = distinct_types(verdict),
                         .unknown_because = verdict.unknown_because.value_or("")};
  for (std::size_t m = 0; m < kModelCount; ++m) {
    const auto model = static_cast<Model>(m);
    if (levels.test(model)) {
      const Result<Verdict> asked = check_loaded(loaded.value(), {.models = {model}});
      if (asked) {
        judgement.levels[model] = asked.value().validity;
      }
    }
  }
  return judgement;
}

}  // namespace elapid
