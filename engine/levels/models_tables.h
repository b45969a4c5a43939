// The tables of models.h: one row a model, one row an anomaly.
//
// Names, implications and proscriptions are exactly Elle's, its gaps included: GSIb does not reach
// G-SIb, and several models proscribe less than their definitions do. The one addition is
// garbage-read, a read of a value that no transaction wrote. It counts as G1, since no committed
// transaction can have written what was read. So it is proscribed from read-committed up.
#pragma once

#include <array>
#include <string_view>

#include "engine/levels/models.h"

namespace elapid {

/// The facts about a model; models.cc derives the others.
struct ModelRow {
  Model id;
  std::string_view canonical;
  std::string_view friendly;
  ModelSet implies = {};       ///< directly
  AnomalySet proscribes = {};  ///< directly
  ModelDescription description = {};
};

struct ModelAlias {
  std::string_view name;
  Model model;
};

struct AnomalyRow {
  AnomalyType id;
  std::string_view name;
  AnomalySet implies = {};  ///< directly
};

/// Indexed by Model.
extern const std::array<ModelRow, kModelCount> kModelTable;
/// Spellings that are accepted beside the canonical ones.
extern const std::array<ModelAlias, 21> kModelAliases;
/// Indexed by AnomalyType.
extern const std::array<AnomalyRow, kAnomalyTypeCount> kAnomalyTable;

}  // namespace elapid
