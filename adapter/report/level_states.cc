#include "adapter/report/level_states.h"

#include <array>
#include <cstddef>

#include "adapter/elle/verdict_view.h"
#include "engine/levels/ladder.h"
#include "engine/levels/mix_bounds.h"

namespace elapid {
namespace {

constexpr std::array<ChartRow, 8> kChart = {{
    {"read uncommitted", Model::kPl1, Model::kStrongSessionPl1},
    {"read committed", Model::kPl2, Model::kRc},
    {"read atomic", Model::kReadAtomic, Model::kRa},
    {"causal", Model::kCausalCerone, Model::kCc},
    {"prefix", Model::kPrefix, Model::kPc},
    {"snapshot isolation", Model::kPlSi, Model::kStrongSessionSnapshotIsolation,
     Model::kStrongSnapshotIsolation},
    {"repeatable read", Model::kPl299},
    {"serializable", Model::kPl3, Model::kStrongSessionSerializable, Model::kPlSs},
}};

void set(LevelState state, ModelSet models, std::vector<ReportLevel>& levels) {
  for (const Model model : models) {
    levels.at(static_cast<std::size_t>(model)).state = state;
  }
}

/// The levels that are proven to hold.
ModelSet holding(const Verdict& verdict, Workload workload) {
  ModelSet models = models_that_are(Validity::kValid, verdict.ladder);
  const bool is_valid = validity_of_claims(verdict) == Validity::kValid;
  if (is_valid && verdict.complete && verdict.ladder.empty()) {
    models |= is_mix(verdict) ? below_mix(verdict.checked, workload) : verdict.checked;
  }
  for (const LevelAnswer& level : verdict.levels) {
    if (level.validity == Validity::kValid) {
      models.set(level.model);
    }
  }
  return all_implied(models);
}

}  // namespace

std::vector<ReportLevel> level_states(const Verdict& verdict, Workload workload) {
  std::vector<ReportLevel> levels(kModelCount);
  for (const Model model : ModelSet::all()) {
    levels[static_cast<std::size_t>(model)].model = model;
  }
  const ModelSet asked = is_mix(verdict) ? ModelSet() : verdict.checked;
  const bool is_unrefuted = validity_of_claims(verdict) == Validity::kValid && !verdict.complete;
  set(is_unrefuted ? LevelState::kUnrefuted : LevelState::kUnknown, asked, levels);
  set(LevelState::kHolds, holding(verdict, workload), levels);
  set(LevelState::kViolated, violated_models(verdict), levels);
  for (const Model model : asked) {
    levels.at(static_cast<std::size_t>(model)).is_asked = verdict.ladder.empty();
  }
  for (const Standing& standing : verdict.ladder) {
    levels.at(static_cast<std::size_t>(standing.model)).because = standing.unknown_because;
  }
  return levels;
}

ModelSet left_open(const Verdict& verdict, const std::vector<ReportLevel>& levels) {
  ModelSet open;
  for (const ReportLevel& level : levels) {
    if (level.is_asked && level.state == LevelState::kUnknown) {
      open.set(level.model);
    }
  }
  return verdict.validity == Validity::kInvalid ? open : ModelSet();
}

ModelSet levels_in(LevelState state, const std::vector<ReportLevel>& levels) {
  ModelSet models;
  for (const ReportLevel& level : levels) {
    if (level.state == state) {
      models.set(level.model);
    }
  }
  return models;
}

std::span<const ChartRow> level_chart() {
  return kChart;
}

ModelSet strongest_possible(const std::vector<ReportLevel>& levels) {
  return strongest_in_chart(~levels_in(LevelState::kViolated, levels));
}

ModelSet strongest_in_chart(ModelSet models) {
  return strongest_of(models & levels_of_chart());
}

ModelSet levels_of_chart() {
  ModelSet models;
  for (const ChartRow& row : kChart) {
    models.set(row.plain);
    for (const std::optional<Model> model : {row.in_sessions, row.in_real_time}) {
      models |= model ? ModelSet{*model} : ModelSet();
    }
  }
  return models;
}

std::string_view state_word(LevelState state) {
  constexpr std::array<std::string_view, 5> kWords = {"holds", "no violation found", "violated",
                                                      "unknown", "open"};
  return kWords.at(static_cast<std::size_t>(state));
}

}  // namespace elapid
