// Which types of anomalies were found.
#ifndef ELAPID_ENGINE_FOUND_TYPES_H_
#define ELAPID_ENGINE_FOUND_TYPES_H_

#include <cstddef>
#include <vector>

#include "engine/models.h"
#include "engine/verdict.h"

namespace elapid {

/// The place of a type in an AnomalySet.
[[nodiscard]] constexpr std::size_t bit(AnomalyType type) {
  return static_cast<std::size_t>(type);
}

[[nodiscard]] inline AnomalySet types_of(const std::vector<Anomaly>& anomalies) {
  AnomalySet types;
  for (const Anomaly& anomaly : anomalies) {
    types.set(bit(anomaly.type));
  }
  return types;
}

}  // namespace elapid

#endif  // ELAPID_ENGINE_FOUND_TYPES_H_
