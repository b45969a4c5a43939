#include "harness/scenario/scenario_tables.h"

#include <algorithm>
#include <optional>

#include "engine/rows/rows.h"

namespace elapid {
namespace {

using rows::Predicate;

std::optional<std::size_t> table_with(const Scenario& scenario, std::int64_t first,
                                      std::int64_t last) {
  const auto table = std::ranges::find_if(scenario.tables, [&](const ScenarioTable& keys) {
    return keys.first_key <= first && last <= keys.last_key;
  });
  return table == scenario.tables.end()
             ? std::nullopt
             : std::optional(static_cast<std::size_t>(table - scenario.tables.begin()));
}

std::optional<std::size_t> table_asked_for(const Scenario& scenario, const Predicate& predicate) {
  if (predicate.kind == Predicate::Kind::kKeyRange) {
    return table_with(scenario, predicate.low, predicate.high);
  }
  if (predicate.kind == Predicate::Kind::kAnd) {
    for (const Predicate& part : predicate.parts) {
      if (part.kind == Predicate::Kind::kKeyRange) {
        return table_asked_for(scenario, part);
      }
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::size_t> table_of(const Scenario& scenario, Op op) {
  const rows::Rows& rows = *scenario.script.info().rows;
  const rows::RowOp& row_op = rows.op(op);
  std::optional<std::size_t> table;
  if (row_op.has_predicate()) {
    table = scenario.tables.size() == 1 ? std::optional<std::size_t>(0)
                                        : table_asked_for(scenario, rows.predicate(row_op));
    return table ? Result<std::size_t>(*table)
                 : Error{.message =
                             "expected a predicate with [:key FIRST LAST] that is about the "
                             "rows of one table"};
  }
  const ValueId key = rows.key(row_op.row);
  if (const auto number = scenario.script.values().as_integer(key)) {
    table = table_with(scenario, *number, *number);
  }
  return table ? Result<std::size_t>(*table)
               : Error{.message =
                           "expected a whole number that some table has as the key of a "
                           "row, found " +
                           scenario.script.values().text(key).substr(0, 100)};
}

}  // namespace elapid
