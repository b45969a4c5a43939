// Orders of the versions of registers, as Elle merges them (docs/elle-rules.md).
#pragma once

#include <vector>

#include "engine/elle/register_versions.h"
#include "engine/graph/digraph.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// A graph over VersionId: an edge leads from a version to one that Elle considers later. A version
/// may precede itself, if a transaction read a value that it wrote later.
struct VersionGraphs {
  Digraph graph;
  std::vector<Anomaly> cyclic_versions;
};

/// Merges the sources of `assumptions` one after another. A source that contradicts earlier ones is
/// dropped as a whole, and each contradiction is reported as cyclic-versions. Some edges of a
/// dropped source remain (version_tries.h).
[[nodiscard]] VersionGraphs version_graphs(const History& history, const RegisterVersions& versions,
                                           const Assumptions& assumptions);

}  // namespace elapid::elle
