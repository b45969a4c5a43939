// The flags of `elapid check`, and what they ask for.
#ifndef ELAPID_ADAPTER_CLI_CHECK_FLAGS_H_
#define ELAPID_ADAPTER_CLI_CHECK_FLAGS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "adapter/cli/check_request.h"
#include "adapter/cli/input_flags.h"
#include "engine/ir/result.h"

namespace CLI {
class App;
}

namespace elapid {

/// As typed; the defaults are those of the command line.
struct CheckFlags {
  InputFlags input = {};
  std::string consistency_models = {};  ///< empty: by the kind of history
  std::string anomalies = "none";
  std::string directory = {};
  std::string engine = "auto";
  std::optional<std::int64_t> clock_skew = {};
  bool cross_check = false;
  bool elle_compat = false;
  bool wfr_keys = false;
  bool sequential_keys = false;
  bool linearizable_keys = false;
  std::string transaction_order = {};
  std::uint64_t cycle_search_timeout_ms = 0;
  std::optional<std::uint64_t> work = {};
  std::string timeout = {};
  std::string memory = {};
  std::string certificate = {};
  bool full = false;
  std::string plot_format = "svg";
  std::uint64_t plot_timeout_ms = 5000;
  std::uint64_t max_plot_bytes = 65536;
  bool verbose = false;
  bool quiet = false;
  std::string fail_on = "invalid";
};

void add_check_flags(CLI::App& app, CheckFlags& flags);

/// Looks up all names. Error: kUsage, or what is wrong with the file of the transaction order.
[[nodiscard]] Result<CheckRequest> check_request(const CheckFlags& flags);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_CHECK_FLAGS_H_
