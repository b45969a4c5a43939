// What the service needs of the program that checks: which options it has, and how it is run. The
// caller of the service knows both.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "adapter/http/routes.h"
#include "engine/ir/result.h"

namespace elapid::http {

/// What became of a check.
struct CheckRun {
  std::optional<int> exit_code = {};  ///< one of those of `elapid check`; nothing: it broke off
  bool is_cancelled = false;
  std::string out = {};  ///< the result map, as EDN
  std::string err = {};  ///< what it said on standard error, or why it broke off
};

struct CheckDoor {
  /// The options that clients may set.
  std::vector<Parameter> parameters = {};

  /// Names and values of query parameters as options of the command line, in the order of the
  /// table and without those that are set as by default. Error kUsage: the request makes no sense.
  std::function<Result<std::vector<std::string>>(
      const std::vector<std::pair<std::string, std::string>>&)>
      options_of = {};

  /// Checks the file of this name in `folder` with such options, in a process of its own, and lets
  /// it write to `evidence` there. `is_cancelled` is asked several times a second.
  std::function<CheckRun(const std::vector<std::string>& options, const std::string& folder,
                         const std::string& file, const std::function<bool()>& is_cancelled)>
      run = {};
};

/// What a query says about options: all parameters that are among `parameters`.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> options_in(
    const httplib::Request& request, const std::vector<Parameter>& parameters);

}  // namespace elapid::http
