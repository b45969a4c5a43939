// From verdicts to what CI systems are told.
#ifndef ELAPID_ADAPTER_CLI_CI_CI_HISTORIES_H_
#define ELAPID_ADAPTER_CLI_CI_CI_HISTORIES_H_

#include <string>

#include "adapter/cli/ci/ci_history.h"
#include "adapter/door/door.h"

namespace elapid {

/// `clock_skew`: what the caller calls its bound.
[[nodiscard]] CiHistory ci_history(const std::string& path, CheckedHistory& checked,
                                   std::string_view clock_skew);

[[nodiscard]] CiHistory ci_failure(const std::string& path, const Error& error);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_CI_CI_HISTORIES_H_
