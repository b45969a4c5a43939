// The names of keys, values and sessions in the source, by their names in the output.
#pragma once

#include "engine/ir/result.h"
#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

/// Whether something has another name in the output.
[[nodiscard]] bool renames(const Plan& plan);

/// One JSON object (docs/conversion.md): from, to, keys, values, values_greater_by, writes,
/// sessions.
Status write_name_map(const Plan& plan, OutputFile& out);

}  // namespace elapid
