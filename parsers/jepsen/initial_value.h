// The initial value of keys, if the user gives it.
#pragma once

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/options.h"

namespace elapid {

/// ReadOptions::initial as a value of `values`; if absent `own`, the format's value. Error: kUsage
/// if it is not one EDN form.
Result<ValueId> initial_value(const ReadOptions& options, ValueId own, ValuePool& values);

}  // namespace elapid
