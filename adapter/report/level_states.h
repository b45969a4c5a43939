// The verdict on every level, derived from the verdict on some.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "adapter/report/report_model.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// All levels, by Model: the answers and their consequences. A level that holds proves those that
/// it implies; a violated level rules out those that imply it. If transactions asked for different
/// levels, none counts as asked about.
[[nodiscard]] std::vector<ReportLevel> level_states(const Verdict& verdict, Workload workload);

/// The levels in a state.
[[nodiscard]] ModelSet levels_in(LevelState state, const std::vector<ReportLevel>& levels);

/// Of the levels asked about, those that are not decided because another one is violated.
[[nodiscard]] ModelSet left_open(const Verdict& verdict, const std::vector<ReportLevel>& levels);

/// A row of the chart: one level without further orders, with session order, and with real time;
/// the last two are absent if there is no such level.
struct ChartRow {
  std::string_view name;
  Model plain;
  std::optional<Model> in_sessions = {};
  std::optional<Model> in_real_time = {};
};

/// The levels that engineers know, weak ones first. Repeatable read and snapshot isolation do not
/// imply each other.
[[nodiscard]] std::span<const ChartRow> level_chart();

/// The strongest levels of the chart that may still hold: proven, or with nothing found against
/// them.
[[nodiscard]] ModelSet strongest_possible(const std::vector<ReportLevel>& levels);

/// The levels of the chart.
[[nodiscard]] ModelSet levels_of_chart();

/// The strongest of these models in the chart.
[[nodiscard]] ModelSet strongest_in_chart(ModelSet models);

/// The word for a state, as `holds`.
[[nodiscard]] std::string_view state_word(LevelState state);

}  // namespace elapid
