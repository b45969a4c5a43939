// Dependencies between transactions of a register history as Elle infers them (docs/elle-rules.md),
// and their reasons.
#pragma once

#include <memory>

#include "engine/elle/analysis.h"
#include "engine/elle/register_versions.h"
#include "engine/graph/digraph.h"

namespace elapid::elle {

/// Fills in the edges and has_vertices of `analysis`: wr from unique writers, from a transaction to
/// itself included; ww and rw for each edge of the version graph. Linear in versions and edges; the
/// readers of a key's initial state are kept as a bundle.
void add_register_edges(const RegisterVersions& versions, const Digraph& version_graph,
                        Analysis& analysis);

/// Explains those edges, but for those that lead to a write of nil or false, as Elle. The history
/// is borrowed.
[[nodiscard]] std::unique_ptr<Explainer> register_explainer(
    const History& history, std::shared_ptr<const RegisterVersions> versions,
    Digraph version_graph);

}  // namespace elapid::elle
