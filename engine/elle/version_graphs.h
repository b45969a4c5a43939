// Orders between the versions of registers as Elle merges them (docs/elle-rules.md).
#pragma once

#include <vector>

#include "engine/elle/register_versions.h"
#include "engine/graph/digraph.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// A graph over VersionId: an edge leads from a version to one that Elle takes to come later. A
/// version may precede itself, where a transaction read what it wrote later.
struct VersionGraphs {
  Digraph graph;
  std::vector<Anomaly> cyclic_versions;
};

/// Merges the sources that `assumptions` name one after another. A source that contradicts those
/// before it is dropped as a whole, and each contradiction reported as cyclic-versions; but some of
/// its edges stay (version_tries.h).
[[nodiscard]] VersionGraphs version_graphs(const History& history, const RegisterVersions& versions,
                                           const Assumptions& assumptions);

}  // namespace elapid::elle
