#include "harness/scenario/expectation_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <utility>

#include "harness/drive/drivers.h"
#include "parsers/door/names.h"

namespace elapid {
namespace {

constexpr std::array kErrors = {TxnError::kConflict, TxnError::kDeadlock, TxnError::kLockTimeout,
                                TxnError::kBusy, TxnError::kOther};

Result<ScenarioPlace> take_place(ScenarioLine& line) {
  ScenarioPlace place;
  ELAPID_ASSIGN_OR_RETURN(place.database, take_database(line));
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

/// A number from 1 to `count`, which becomes one from 0.
Status take_number(ScenarioLine& line, std::size_t count, std::string_view of_what,
                   std::size_t& into) {
  line.skip_blanks();
  const ScenarioLine start = line;
  std::int64_t number = 0;
  if (!line.number(number) || number < 1 || number > static_cast<std::int64_t>(count)) {
    return start.error("the number of " + std::string(of_what) + ", from 1 to " +
                       std::to_string(count));
  }
  into = static_cast<std::size_t>(number - 1);
  return {};
}

/// `step 3`, or by its name, `step write`.
Status take_step(ScenarioLine& line, const Scenario& scenario, std::size_t& into) {
  line.skip_blanks();
  ScenarioLine after = line;
  const std::string_view name = after.word();
  const auto named = std::ranges::find(scenario.steps, name, &ScenarioStep::name);
  if (name.empty() || named == scenario.steps.end()) {
    return take_number(line, scenario.steps.size(), "a step", into);
  }
  line = after;
  into = static_cast<std::size_t>(named - scenario.steps.begin());
  return {};
}

/// `orders 2 3 fail`, with `orders` read.
Status take_failing_orders(ScenarioLine& line, const Scenario& scenario, Expectation& expectation) {
  ExpectFailures expected;
  for (line.skip_blanks(); line.peek() >= '0' && line.peek() <= '9'; line.skip_blanks()) {
    std::size_t order = 0;
    ELAPID_RETURN_IF_ERROR(take_number(line, scenario.orders.size(), "an order", order));
    expected.orders.push_back(order);
  }
  const ScenarioLine start = line;
  if (expected.orders.empty() || line.word() != "fail") {
    return start.error(expected.orders.empty() ? "numbers of orders" : "fail");
  }
  std::ranges::sort(expected.orders);
  expectation.what = std::move(expected);
  return {};
}

/// `18 orders fail`.
Status take_failing_count(ScenarioLine& line, Expectation& expectation) {
  const ScenarioLine start = line;
  std::int64_t count = 0;
  bool is_well = line.number(count) && count >= 0;
  for (const std::string_view word : {"orders", "fail"}) {
    line.skip_blanks();
    is_well = is_well && line.word() == word;
  }
  expectation.what = ExpectFailures{.count = static_cast<std::size_t>(count)};
  return is_well ? Status() : start.error("NUMBER orders fail");
}

/// The expected outcome of a step, behind the word `step`.
Status take_step_fate(ScenarioLine& line, const Scenario& scenario, std::size_t order,
                      Expectation& expectation) {
  ExpectStep step = {.order = order};
  ELAPID_RETURN_IF_ERROR(take_step(line, scenario, step.step));
  line.skip_blanks();
  const ScenarioLine fate_start = line;
  const std::string_view fate = line.word();
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
        holds ? "none, an anomaly, a level, not LEVEL, step NUMBER ..., orders NUMBER ... fail, "
                "NUMBER orders fail, or all commit"
              : "a level");
  }
  expectation.what = ExpectLevel{model.value(), holds};
  return {};
}

Status take_what(ScenarioLine& line, const Scenario& scenario, Expectation& expectation) {
  const ScenarioLine start = line;
  if (line.peek() >= '0' && line.peek() <= '9') {
    return take_failing_count(line, expectation);
  }
  const std::string_view word = line.word();
  line.skip_blanks();
  if (word == "none") {
    expectation.what = ExpectNothing();
    return {};
  }
  if (word == "step") {
    return take_step_fate(line, scenario, 0, expectation);
  }
  if (word == "orders") {
    return take_failing_orders(line, scenario, expectation);
  }
  if (word == "order") {
    std::size_t order = 0;
    ELAPID_RETURN_IF_ERROR(take_number(line, scenario.orders.size(), "an order", order));
    line.skip_blanks();
    const ScenarioLine step_start = line;
    return line.word() == "step" ? take_step_fate(line, scenario, order, expectation)
                                 : step_start.error("step NUMBER ...");
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
      ELAPID_ASSIGN_OR_RETURN(ScenarioPlace place, take_place(line));
      places.push_back(std::move(place));
    } while (line.take(','));
    if (!line.take(':')) {
      return line.error("a comma or a colon");
    }
  }
  do {
    line.skip_blanks();
    const ScenarioLine start = line;
    Expectation expectation = {.places = places, .line = line.number()};
    ELAPID_RETURN_IF_ERROR(take_what(line, scenario, expectation));
    expectation.text = start.rest().substr(0, line.offset() - start.offset());
    scenario.expectations.push_back(std::move(expectation));
    line.skip_blanks();
  } while (line.take(','));
  return line.end();
}

}  // namespace elapid
