// Makes the reports for CI systems from verdicts.
#pragma once

#include <string>

#include "adapter/cli/reports/ci/ci_history.h"
#include "parsers/door/door.h"

namespace elapid {

/// `clock_skew`: the caller's name of its bound.
[[nodiscard]] CiHistory ci_history(const std::string& path, LoadedHistory& loaded,
                                   const Verdict& verdict, std::string_view clock_skew);

/// Adds the verdict on the same history at another level. The graver one counts; if both are as
/// grave, the levels of both and the findings of all rules.
void add_verdict(CiHistory verdict, CiHistory& to);

[[nodiscard]] CiHistory ci_failure(const std::string& path, const Error& error);

}  // namespace elapid
