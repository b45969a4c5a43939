// How the service reaches the program that checks: its options, and a way to run it. The caller of
// the service provides both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/http/routes.h"
#include "engine/ir/result.h"

namespace elapid::http {

/// The outcome of a check.
struct CheckRun {
  std::optional<int> exit_code = {};  ///< of `elapid check`; nothing if it broke off
  bool is_cancelled = false;
  std::string out = {};  ///< the result map, as EDN
  std::string err = {};  ///< standard error, or why it broke off
};

struct CheckDoor {
  /// The options that clients may set.
  std::vector<Parameter> parameters = {};

  /// Makes options of the command line from the names and values of query parameters, in the order
  /// of the table and without defaults. Error: kUsage for values that the options do not allow.
  std::function<Result<std::vector<std::string>>(
      const std::vector<std::pair<std::string, std::string>>&)>
      options_of = {};

  /// Checks `file` in `folder` with these options, in a process of its own that writes to the
  /// subfolder `evidence`. Calls `is_cancelled` several times a second.
  std::function<CheckRun(const std::vector<std::string>& options, const std::string& folder,
                         const std::string& file, const std::function<bool()>& is_cancelled)>
      run = {};
};

/// The names and values in a query that are among `parameters`.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> options_in(
    const httplib::Request& request, const std::vector<Parameter>& parameters);

}  // namespace elapid::http
