#include "adapter/cli/fail_on.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/names.h"

namespace elapid {

void add_fail_on(CLI::App& app, std::string& value) {
  app.add_option("--fail-on", value,
                 "invalid (exit 1) and unknown (exit 2) always fail; lint: findings fail too (3)");
}

Result<FailOn> parse_fail_on(std::string_view list) {
  FailOn fail_on;
  for (const std::string_view name : split_list(list)) {
    if (name == "lint") {
      fail_on.lint = true;
    } else if (name != "invalid" && name != "unknown") {
      return Error{.kind = ErrorKind::kUsage,
                   .message = "unknown --fail-on '" + std::string(name) +
                              "'; there is invalid, unknown, lint"};
    }
  }
  return fail_on;
}

}  // namespace elapid
