// Reads checkers from their JSON descriptions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "harness/compare/checker.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// The descriptions in a file: one object, several objects, or an array of objects. Errors:
/// kUnreadable; kMalformed, with line and column, for anything that the schema does not allow: a
/// field that is unknown, missing, repeated or of another type; an unknown level, format or
/// workload; a pattern that RE2 does not accept; a placeholder without a value.
Result<std::vector<Checker>> read_checkers(const std::string& path);

/// The same for an open source. `folder`: the value of `{here}`.
Result<std::vector<Checker>> read_checkers(std::unique_ptr<ByteSource> source,
                                           const std::string& folder);

}  // namespace elapid
