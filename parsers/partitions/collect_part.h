// Brings the part of a history in partitions that is evidence to the first rank.
#pragma once

#include <optional>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/partitions/part_history.h"
#include "parsers/partitions/partition.h"
#include "parsers/partitions/peers.h"
#include "parsers/partitions/scatter.h"

namespace elapid {

/// The data on the keys that these transactions use, or that are open in a partition, at the first
/// rank; empty at the others. Nothing if it `must_fit` into the memory of the first rank and does
/// not. Errors: kUnreadable for files.
[[nodiscard]] Result<std::optional<PartData>> collect_part(const std::vector<Partition>& partitions,
                                                           const Scatter& scattered,
                                                           const TxnNumbers& involved,
                                                           bool must_fit, Peers& peers);

}  // namespace elapid
