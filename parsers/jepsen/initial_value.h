// The value that the user says keys hold before the first write.
#pragma once

#include "engine/ir/result.h"
#include "engine/ir/value_pool.h"
#include "parsers/options.h"

namespace elapid {

/// ReadOptions::initial as a value of `values`; `own`, which is the format's, where it is not
/// given. Error: kUsage if it is not one EDN form.
Result<ValueId> initial_value(const ReadOptions& options, ValueId own, ValuePool& values);

}  // namespace elapid
