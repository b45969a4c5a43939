// --fail-on: what else than a violation makes the exit code tell of a failure.
#ifndef ELAPID_ADAPTER_CLI_FAIL_ON_H_
#define ELAPID_ADAPTER_CLI_FAIL_ON_H_

#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace CLI {
class App;
}

namespace elapid {

/// `invalid` and `unknown` have codes of their own anyway (1 and 2); naming them is allowed.
struct FailOn {
  bool lint = false;
};

/// Adds the flag; `value` keeps what was typed.
void add_fail_on(CLI::App& app, std::string& value);

/// A comma-separated list. Error: kUsage.
[[nodiscard]] Result<FailOn> parse_fail_on(std::string_view list);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_FAIL_ON_H_
