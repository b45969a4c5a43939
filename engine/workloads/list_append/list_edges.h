// Dependencies between transactions of a list-append history, and their reasons.
#pragma once

#include <memory>

#include "engine/infer/inference.h"
#include "engine/workloads/list_append/list_versions.h"

namespace elapid {

/// Adds ww, wr and rw edges among believed transactions, from the version orders
/// (docs/elle-rules.md). An append follows the version before it; an unobserved append follows the
/// last observed version. Linear in operations and edges.
void add_list_edges(const History& history, const ListVersions& versions, Inference& inference);

/// Explains these edges. Shares ownership of `versions`.
[[nodiscard]] std::unique_ptr<EdgeExplainer> list_explainer(
    const History& history, std::shared_ptr<const ListVersions> versions);

}  // namespace elapid
