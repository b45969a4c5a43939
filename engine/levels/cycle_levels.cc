#include "engine/levels/cycle_levels.h"

namespace elapid {

std::optional<CycleLevel> cycle_level(Model model) {
  switch (model) {
    case Model::kPlCs:
      return CycleLevel{.shape = CycleShape::kCursor};
    case Model::kUpdateAtomic:
      return CycleLevel{CycleShape::kPair, {Visibility::kReadAtomic, false, false}};
    case Model::kPl2L:
      return CycleLevel{.shape = CycleShape::kMonotonic};
    case Model::kPl2Plus:
    case Model::kPlFcv:
      return CycleLevel{.shape = CycleShape::kSingle};
    case Model::kPlMsr:
      return CycleLevel{.shape = CycleShape::kSnapshots};
    case Model::kPl3U:
      return CycleLevel{.shape = CycleShape::kUpdates};
    default:
      return std::nullopt;
  }
}

std::optional<AnomalyType> own_anomaly(CycleShape shape) {
  switch (shape) {
    case CycleShape::kCursor:
      return AnomalyType::kGCursor;
    case CycleShape::kMonotonic:
      return AnomalyType::kGMonotonic;
    case CycleShape::kSnapshots:
      return AnomalyType::kGMsr;
    case CycleShape::kUpdates:
      return AnomalyType::kGUpdate;
    case CycleShape::kPair:
    case CycleShape::kSingle:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace elapid
