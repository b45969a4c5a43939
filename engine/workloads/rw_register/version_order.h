// Orders of the versions of registers, from the initial state and the user's assumptions.
#pragma once

#include <vector>

#include "engine/graph/digraph.h"
#include "engine/verdict/verdict.h"
#include "engine/workloads/rw_register/register_versions.h"

namespace elapid {

/// A graph over VersionId: an edge leads from a version to one known to come later.
struct VersionOrder {
  Digraph graph;
  std::vector<Anomaly> cyclic_versions;
};

/// Merges the sources one after another. A source that contradicts earlier ones is dropped as a
/// whole, and each contradiction is reported as cyclic-versions (docs/elle-rules.md).
[[nodiscard]] VersionOrder order_versions(const History& history, const RegisterVersions& versions,
                                          const Assumptions& assumptions);

}  // namespace elapid
