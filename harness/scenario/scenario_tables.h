// The table of an operation on rows.
#pragma once

#include <cstddef>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// The place in Scenario::tables of the row's key, or of the keys that the predicate asks for:
/// where there are several tables, it is [:key FIRST LAST] within one of them, or [:and ...] of
/// that and more. Error kMalformed.
[[nodiscard]] Result<std::size_t> table_of(const Scenario& scenario, Op op);

}  // namespace elapid
