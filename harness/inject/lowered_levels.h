// The lowest levels by transaction at which a small history is still wrong: what is put into a
// history whose transactions ask for levels of their own.
//
// Example: `wx1 wy1; rx1 ry_` is wrong if the second transaction is at read atomic, whatever the
// level of the first.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"

namespace elapid {

/// Of each transaction the place in `levels`, which go from weak to strong: at these the history is
/// wrong, and it is not shown to be wrong if one of them is lowered. By order of invocations. Empty
/// if it is not shown to be wrong at the last level either. Requires that all transactions have
/// invocations. Transactions times levels times check().
[[nodiscard]] std::vector<std::size_t> lowest_wrong_levels(History history,
                                                           std::span<const Model> levels);

}  // namespace elapid
