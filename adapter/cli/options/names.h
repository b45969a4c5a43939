// Names that only the command line accepts. All other names are in parsers/door/names.h.
#pragma once

#include <string_view>

#include "adapter/source/contention.h"
#include "engine/ir/result.h"
#include "parsers/door/names.h"

namespace elapid {

/// What else than a violation makes the exit code tell of a failure. `invalid` and `unknown` have
/// codes of their own anyway (1 and 2); naming them is allowed.
struct FailOn {
  bool lint = false;
  bool vacuous = false;
};

/// A comma-separated list.
[[nodiscard]] Result<FailOn> parse_fail_on(std::string_view list);

/// `overlapping=100,keys=5,reads=1000`, or some of these; the others are as in LeastContention.
[[nodiscard]] Result<LeastContention> parse_least_contention(std::string_view list);

}  // namespace elapid
