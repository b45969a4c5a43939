// The options of a checker, as a caller writes them, and the check request made of them.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/door/door.h"

namespace elapid {

/// As written; empty: not set.
struct Settings {
  // What to check.
  std::string levels = {};
  std::string anomalies = {};
  std::string engine = {};
  std::string clock_skew = {};
  std::string cross_check = {};
  std::string elle_compat = {};
  std::string failed_cas = {};
  // What the history of a workload does not tell.
  std::string accounts = {};
  std::string total_amount = {};
  std::string negative_balances = {};
  std::string group_size = {};
  std::string key_count = {};
  std::string linearizable_elements = {};
  std::string lock = {};
  std::string lock_limit = {};
  std::string sub_via = {};
  std::string availability = {};
  std::string ww_deps = {};
  // What to assume.
  std::string wfr_keys = {};
  std::string sequential_keys = {};
  std::string linearizable_keys = {};
  // How hard to try.
  std::string work = {};
  std::string cycle_search_timeout = {};
  std::string timeout = {};
  std::string memory = {};
  std::string threads = {};
  // How to read.
  std::string format = {};
  std::string model = {};
  std::string initial = {};
  std::string independent = {};
  std::string salvage = {};
  std::string max_line = {};
};

/// Sets the option of this name. Error: kUsage for a name that there is not, or a value that the
/// option cannot have; `settings` are then as they were.
[[nodiscard]] Status set(Settings& settings, std::string_view name, std::string_view value);

/// What they ask for. Error: kUsage for options that do not go together.
[[nodiscard]] Result<CheckJob> job_of(const Settings& settings);

}  // namespace elapid
