// Dependencies between transactions of a register history, and their reasons.
#pragma once

#include <memory>

#include "engine/infer/inference.h"
#include "engine/workloads/rw_register/register_versions.h"

namespace elapid {

/// Adds wr edges from unique writers, and ww and rw edges for each edge of the version order
/// (docs/elle-rules.md). Linear in versions and edges; the readers of a key's initial state are
/// stored as a bundle.
void add_register_edges(const History& history, const RegisterVersions& versions,
                        const Digraph& version_order, Inference& inference);

/// Explains these edges. Shares ownership of the arguments, except the history.
[[nodiscard]] std::unique_ptr<EdgeExplainer> register_explainer(
    const History& history, std::shared_ptr<const RegisterVersions> versions,
    Digraph version_order);

}  // namespace elapid
