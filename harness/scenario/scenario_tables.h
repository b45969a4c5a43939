// The table of an operation on rows.
#pragma once

#include <cstddef>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// The place in Scenario::tables of the table that the operation's key or predicate belongs to. If
/// there are several tables, a predicate is [:key FIRST LAST] within one of them, or an [:and ...]
/// that contains it. Error: kMalformed.
[[nodiscard]] Result<std::size_t> table_of(const Scenario& scenario, Op op);

}  // namespace elapid
