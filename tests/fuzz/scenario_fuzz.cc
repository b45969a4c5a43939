// Scenarios: of any bytes the reader makes one that can be played, or says in one line, with file,
// line and column, what it has expected and what it has found.
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "harness/drive/sql/sql_spelling.h"
#include "harness/scenario/performance_history.h"
#include "harness/scenario/scenario_reader.h"
#include "harness/scenario/step_sql.h"
#include "tests/fuzz/harness.h"

namespace elapid {
namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

constexpr SqlSpelling kFuzzSpelling = {
    .text_type = "text",
    .on_conflict = " on conflict (k) do update set",
    .append_text = [](const std::string& old,
                      const std::string& added) { return old + " || ',' || " + added; },
    .has_returning = true,
};

/// Of errors: `some.scenario:3:4: expected ..., found ...`.
void check_error(const Error& error) {
  const std::string text = error.to_string();
  require(error.kind == ErrorKind::kMalformed);
  require(error.line.has_value() && error.column.has_value());
  require(text.starts_with("some.scenario:"));
  require(text.find('\n') == std::string::npos);
}

/// Each order can be played: its steps are there, once each, and transactions end after they have
/// begun.
void check_order(const Scenario& scenario, const std::vector<std::size_t>& order) {
  std::vector<bool> is_done(scenario.steps.size());
  std::vector<bool> is_open(scenario.sessions.size());
  for (const std::size_t number : order) {
    require(number < scenario.steps.size() && !is_done[number]);
    is_done[number] = true;
    const ScenarioStep& step = scenario.steps[number];
    const bool ends =
        step.kind == StepRequest::Kind::kCommit || step.kind == StepRequest::Kind::kRollback;
    require(!ends || is_open[step.session]);
    require(step.kind != StepRequest::Kind::kBegin || !is_open[step.session]);
    is_open[step.session] = !ends;
  }
}

void run(const std::string& bytes) {
  const Result<Scenario> read = parse_scenario("some.scenario", bytes);
  if (!read) {
    check_error(read.error());
    return;
  }
  const Scenario& scenario = read.value();
  require(!scenario.orders.empty() && scenario.orders.size() <= kMostScenarioOrders);
  for (const auto& order : scenario.orders) {
    check_order(scenario, order);
  }
  const StepSql sql(scenario, kFuzzSpelling);
  require(!sql.creation().empty());
  static_cast<void>(sql.filling());
  static_cast<void>(sql.final_reads());
  for (const ScenarioStep& step : scenario.steps) {
    require((step.kind == StepRequest::Kind::kOperation) == (step.op_count > 0));
    for (const Op op : scenario.ops_of(step)) {
      require(!sql.operation(op).empty());
      require(!done_text(scenario, op, {}).empty());
    }
  }
}

}  // namespace
}  // namespace elapid

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elapid::run(std::string(data, data + size));
  return 0;
}
