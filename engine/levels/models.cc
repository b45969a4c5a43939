#include "engine/levels/models.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "engine/ir/similar_names.h"
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

// Implications as matrices: row i holds what i leads to.

template <std::size_t n>
using Matrix = std::array<std::bitset<n>, n>;

/// The reflexive and transitive closure, by Warshall's algorithm.
template <std::size_t n>
Matrix<n> closure(Matrix<n> matrix) {
  for (std::size_t i = 0; i < n; ++i) {
    matrix[i].set(i);
  }
  for (std::size_t via = 0; via < n; ++via) {
    for (std::bitset<n>& reached : matrix) {
      if (reached[via]) {
        reached |= matrix[via];
      }
    }
  }
  return matrix;
}

template <std::size_t n>
Matrix<n> transposed(const Matrix<n>& matrix) {
  Matrix<n> result;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      result[j][i] = matrix[i][j];
    }
  }
  return result;
}

/// Everything that some member leads to.
template <std::size_t n>
std::bitset<n> image(const Matrix<n>& matrix, const std::bitset<n>& members) {
  std::bitset<n> result;
  for (std::size_t i = 0; i < n; ++i) {
    if (members[i]) {
      result |= matrix[i];
    }
  }
  return result;
}

/// The closed implications of a table, both ways round.
template <std::size_t n>
struct Implications {
  template <class Table>
  explicit Implications(const Table& table) {
    for (const auto& entry : table) {
      implied[index(entry.id)] = entry.implies;
    }
    implied = closure(implied);
    implying = transposed(implied);
  }

  Matrix<n> implied;
  Matrix<n> implying;
};

const Implications<kModelCount>& model_implications() {
  static const Implications<kModelCount> implications(kModelTable);
  return implications;
}

const Implications<kAnomalyTypeCount>& anomaly_implications() {
  static const Implications<kAnomalyTypeCount> implications(kAnomalyTable);
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
  return image(model_implications().implied, models);
}

ModelSet all_impossible(ModelSet models) {
  return image(model_implications().implying, models);
}

AnomalySet all_implied(AnomalySet types) {
  return image(anomaly_implications().implied, types);
}

AnomalySet all_implying(AnomalySet types) {
  return image(anomaly_implications().implying, types);
}

AnomalySet proscribed_directly(Model model) {
  return row(model).proscribes;
}

AnomalySet prohibited(ModelSet models, AnomalySet extra) {
  const ModelSet demanded = all_implied(models);
  AnomalySet proscribed = extra;
  for (const ModelRow& model : kModelTable) {
    if (demanded[index(model.id)]) {
      proscribed |= model.proscribes;
    }
  }
  return all_implying(proscribed);
}

ModelSet impossible_models(AnomalySet found) {
  const AnomalySet present = all_implied(found);
  ModelSet violated;
  for (const ModelRow& model : kModelTable) {
    violated[index(model.id)] = (model.proscribes & present).any();
  }
  return all_impossible(violated);
}

Boundary boundary(AnomalySet found) {
  return boundary_of(impossible_models(found));
}

Boundary boundary_of(ModelSet impossible) {
  Boundary result;
  for (std::size_t i = 0; i < kModelCount; ++i) {
    if (impossible[i]) {
      const bool weakest = (model_implications().implied[i] & impossible).count() == 1;
      (weakest ? result.not_models : result.also_not_models).set(i);
    }
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
  return ~ModelSet() >> (kModelCount - index(Model::kRc));
}

}  // namespace elapid
