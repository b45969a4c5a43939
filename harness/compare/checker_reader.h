// From the JSON of descriptions to checkers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "harness/compare/checker.h"
#include "parsers/bytes/byte_source.h"

namespace elapid {

/// The descriptions in a file: one object, several that follow one another, or an array of them.
/// Error: kUnreadable, or kMalformed with line and column for whatever the schema does not allow: a
/// field that is unknown, missing, twice there or of another kind; a level, format or workload that
/// Elapid does not know; a pattern that RE2 does not know; a placeholder that stands for nothing.
Result<std::vector<Checker>> read_checkers(const std::string& path);

/// The same of a source that is open. `folder` is what `{here}` stands for.
Result<std::vector<Checker>> read_checkers(std::unique_ptr<ByteSource> source,
                                           const std::string& folder);

}  // namespace elapid
