#include "harness/scenario/expectation_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "adapter/door/names.h"
#include "harness/drive/drivers.h"

namespace elapid {
namespace {

constexpr std::array kErrors = {TxnError::kConflict, TxnError::kDeadlock, TxnError::kLockTimeout,
                                TxnError::kBusy, TxnError::kOther};

Result<ScenarioPlace> take_place(ScenarioLine& line) {
  ScenarioPlace place;
  Result<std::string> database = take_database(line);
  if (!database) {
    return std::move(database.error());
  }
  place.database = std::move(database).value();
  for (char separator = '?'; line.take(separator); separator = '&') {
    const ScenarioLine start = line;
    const std::string name(line.word());
    if (name.empty() || !line.take('=')) {
      return start.error("a parameter as journal=wal").error();
    }
    place.parameters.emplace_back(name, line.word());
  }
  line.skip_blanks();
  const ScenarioLine start = line;
  place.level = line.word();
  if (!place.level.empty() && !parse_model(place.level)) {
    return start.error("a level").error();
  }
  line.skip_blanks();
  return place;
}

Status take_step_fate(ScenarioLine& line, const Scenario& scenario, Expectation& expectation) {
  line.skip_blanks();
  const ScenarioLine start = line;
  std::int64_t number = 0;
  const auto count = static_cast<std::int64_t>(scenario.steps.size());
  if (!line.number(number) || number < 1 || number > count) {
    return start.error("the number of a step, from 1 to " + std::to_string(count));
  }
  line.skip_blanks();
  const ScenarioLine fate_start = line;
  const std::string_view fate = line.word();
  ExpectStep step = {.step = static_cast<std::size_t>(number - 1)};
  if (fate == "waits") {
    step.fate = ExpectStep::Fate::kWaits;
  } else if (fate == "fails") {
    step.fate = ExpectStep::Fate::kFails;
    line.skip_blanks();
    const ScenarioLine error_start = line;
    if (const std::string_view word = line.word(); !word.empty()) {
      const auto* const error =
          std::ranges::find_if(kErrors, [&](TxnError known) { return name(known) == word; });
      if (error == kErrors.end()) {
        return error_start.error("conflict, deadlock, lock-timeout, busy or error");
      }
      step.error = *error;
    }
  } else if (fate != "succeeds") {
    return fate_start.error("waits, fails or succeeds");
  }
  expectation.what = step;
  return {};
}

Status take_level(const ScenarioLine& start, std::string_view name, bool holds,
                  Expectation& expectation) {
  const Result<Model> model = parse_model(name);
  if (!model) {
    return start.error(
        holds ? "none, an anomaly, a level, not LEVEL, step NUMBER ..., or all commit" : "a level");
  }
  expectation.what = ExpectLevel{model.value(), holds};
  return {};
}

Status take_what(ScenarioLine& line, const Scenario& scenario, Expectation& expectation) {
  const ScenarioLine start = line;
  const std::string_view word = line.word();
  line.skip_blanks();
  if (word == "none") {
    expectation.what = ExpectNothing();
    return {};
  }
  if (word == "step") {
    return take_step_fate(line, scenario, expectation);
  }
  if (word == "all") {
    expectation.what = ExpectCommits();
    return line.word() == "commit" ? Status() : start.error("all commit");
  }
  if (word == "not") {
    const ScenarioLine level = line;
    return take_level(level, line.word(), false, expectation);
  }
  if (const auto type = find_anomaly(word)) {
    expectation.what = ExpectAnomaly{*type};
    return {};
  }
  return take_level(start, word, true, expectation);
}

}  // namespace

Result<std::string> take_database(ScenarioLine& line) {
  line.skip_blanks();
  const ScenarioLine start = line;
  const std::string name(line.word());
  const auto drivers = known_drivers();
  if (name == "any" || name == "mariadb") {
    return std::string(name == "any" ? "" : "mysql");
  }
  return std::ranges::find(drivers, name, &KnownDriver::name) != drivers.end()
             ? Result<std::string>(name)
             : start.error("a database, as postgres, or any").error();
}

Status read_expectation(ScenarioLine& line, Scenario& scenario) {
  std::vector<ScenarioPlace> places;
  const std::string_view all = line.rest();
  if (all.substr(0, all.find(';')).find(':') != std::string_view::npos) {
    do {
      Result<ScenarioPlace> place = take_place(line);
      if (!place) {
        return std::move(place.error());
      }
      places.push_back(std::move(place).value());
    } while (line.take(','));
    if (!line.take(':')) {
      return line.error("a comma or a colon");
    }
  }
  do {
    line.skip_blanks();
    const ScenarioLine start = line;
    Expectation expectation = {.places = places, .line = line.number()};
    if (Status taken = take_what(line, scenario, expectation); !taken.ok()) {
      return taken;
    }
    expectation.text = start.rest().substr(0, line.offset() - start.offset());
    scenario.expectations.push_back(std::move(expectation));
    line.skip_blanks();
  } while (line.take(','));
  return line.end();
}

}  // namespace elapid
