// Makes the reports for CI systems from verdicts.
#pragma once

#include <string>

#include "adapter/cli/reports/ci/ci_history.h"
#include "parsers/door/door.h"

namespace elapid {

/// `clock_skew`: what the caller calls its bound.
[[nodiscard]] CiHistory ci_history(const std::string& path, LoadedHistory& loaded,
                                   const Verdict& verdict, std::string_view clock_skew);

/// Adds what the same history was told at another level: findings of rules that it has none of yet;
/// levels and message are those of the graver verdict, levels of both if they are as grave.
void add_verdict(CiHistory verdict, CiHistory& to);

[[nodiscard]] CiHistory ci_failure(const std::string& path, const Error& error);

}  // namespace elapid
