#include "engine/levels/models.h"

#include <algorithm>

#include "engine/ir/similar_names.h"
#include "engine/levels/implications.h"
#include "engine/levels/models_tables.h"

namespace elapid {
namespace {

template <class Enum>
constexpr std::size_t index(Enum member) {
  return static_cast<std::size_t>(member);
}

const ModelRow& row(Model model) {
  return kModelTable[index(model)];
}

const Implications<Model, kModelCount>& model_implications() {
  static const Implications<Model, kModelCount> implications(
      [](Model model) { return row(model).implies; });
  return implications;
}

const Implications<AnomalyType, kAnomalyTypeCount>& anomaly_implications() {
  static const Implications<AnomalyType, kAnomalyTypeCount> implications(
      [](AnomalyType type) { return kAnomalyTable[index(type)].implies; });
  return implications;
}

// Names.

std::string_view without_colon(std::string_view name) {
  return name.starts_with(':') ? name.substr(1) : name;
}

}  // namespace

std::string_view name(AnomalyType type) {
  return kAnomalyTable[index(type)].name;
}

std::string_view friendly_name(Model model) {
  return row(model).friendly;
}

std::string_view canonical_name(Model model) {
  return row(model).canonical;
}

std::optional<AnomalyType> find_anomaly(std::string_view name) {
  const auto* found = std::ranges::find(kAnomalyTable, without_colon(name), &AnomalyRow::name);
  return found == kAnomalyTable.end() ? std::nullopt : std::optional(found->id);
}

std::optional<Model> find_model(std::string_view name) {
  const std::string_view wanted = without_colon(name);
  for (const auto& [spelling, model] : all_model_names()) {
    if (spelling == wanted) {
      return model;
    }
  }
  return std::nullopt;
}

std::vector<std::string> similar_models(std::string_view name, std::size_t limit) {
  std::vector<std::string_view> known;
  for (const auto& [spelling, model] : all_model_names()) {
    known.push_back(spelling);
  }
  return similar_names(name, known, limit);
}

std::vector<std::string> similar_anomalies(std::string_view name, std::size_t limit) {
  std::vector<std::string_view> known;
  known.reserve(kAnomalyTable.size());
  for (const AnomalyRow& anomaly : kAnomalyTable) {
    known.push_back(anomaly.name);
  }
  return similar_names(name, known, limit);
}

std::vector<std::pair<std::string_view, Model>> all_model_names() {
  std::vector<std::pair<std::string_view, Model>> names;
  names.reserve(kModelTable.size() + kModelAliases.size());
  for (const ModelRow& model : kModelTable) {
    names.emplace_back(model.canonical, model.id);
  }
  for (const ModelAlias& alias : kModelAliases) {
    names.emplace_back(alias.name, alias.model);
  }
  std::ranges::sort(names);
  return names;
}

ModelSet implies_directly(Model model) {
  return row(model).implies;
}

ModelSet all_implied(ModelSet models) {
  return model_implications().implied_by(models);
}

ModelSet all_impossible(ModelSet models) {
  return model_implications().implying(models);
}

AnomalySet all_implied(AnomalySet types) {
  return anomaly_implications().implied_by(types);
}

AnomalySet all_implying(AnomalySet types) {
  return anomaly_implications().implying(types);
}

AnomalySet proscribed_directly(Model model) {
  return row(model).proscribes;
}

AnomalySet prohibited(ModelSet models, AnomalySet extra) {
  const ModelSet demanded = all_implied(models);
  AnomalySet proscribed = extra;
  for (const Model model : demanded) {
    proscribed |= row(model).proscribes;
  }
  return all_implying(proscribed);
}

ModelSet impossible_models(AnomalySet found) {
  const AnomalySet present = all_implied(found);
  return all_impossible(
      ModelSet::all().filter([&](Model model) { return (row(model).proscribes & present).any(); }));
}

Boundary boundary(AnomalySet found) {
  return boundary_of(impossible_models(found));
}

Boundary boundary_of(ModelSet impossible) {
  Boundary result;
  for (const Model model : impossible) {
    const bool is_weakest = (model_implications().implied_by(model) & impossible).count() == 1;
    (is_weakest ? result.not_models : result.also_not_models).set(model);
  }
  return result;
}

std::optional<OrderLevel> order_level(Model model) {
  using enum Model;
  switch (model) {
    case kOneSr:
    case kPl299:
    case kPl3:
    case kViewSerializable:
      return OrderLevel{Visibility::kSerial, false, false};
    case kSequential:
    case kSessionSerializable:
    case kStrongSessionSerializable:
      return OrderLevel{Visibility::kSerial, true, false};
    case kLinearizable:
    case kPlSs:
      return OrderLevel{Visibility::kSerial, true, true};
    case kPlSi:
      return OrderLevel{Visibility::kSnapshot, false, false};
    case kStrongSessionSnapshotIsolation:
      return OrderLevel{Visibility::kSnapshot, true, false};
    case kStrongSnapshotIsolation:
      return OrderLevel{Visibility::kSnapshot, true, true};
    case kPrefix:
      return OrderLevel{Visibility::kPrefix, false, false};
    case kPc:
      return OrderLevel{Visibility::kPrefix, true, false};
    case kCausal:
    case kCc:
      return OrderLevel{Visibility::kCausal, true, false};
    case kCausalCerone:
      return OrderLevel{Visibility::kCausal, false, false};
    case kReadAtomic:
      return OrderLevel{Visibility::kReadAtomic, false, false};
    case kRa:
      return OrderLevel{Visibility::kReadAtomic, true, false};
    case kMonotonicAtomicView:
      return OrderLevel{Visibility::kReadCommitted, false, false};
    case kRc:
      return OrderLevel{Visibility::kReadCommitted, true, false};
    case kPram:
      return OrderLevel{Visibility::kPram, true, false};
    case kWritesFollowReads:
      return OrderLevel{Visibility::kWritesFollowReads, true, false};
    case kMonotonicWrites:
      return OrderLevel{Visibility::kMonotonicWrites, true, false};
    case kMonotonicReads:
      return OrderLevel{Visibility::kMonotonicReads, true, false};
    case kReadYourWrites:
      return OrderLevel{Visibility::kReadYourWrites, true, false};
    case kPl2:
      return OrderLevel{Visibility::kNothing, false, false};
    case kStrongSessionPl2:
      return OrderLevel{Visibility::kNothing, true, false};
    case kStrongPl2:
      return OrderLevel{Visibility::kNothing, true, true};
    default:
      return std::nullopt;
  }
}

ModelDescription describe(Model model) {
  return row(model).description;
}

ModelSet models_of_elle() {
  return ModelSet::all().filter([](Model model) { return model < Model::kRc; });
}

}  // namespace elapid
