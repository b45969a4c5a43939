// The flags of `elapid check`, `scan` and `elle-cli`, and the checks that they request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/options/options.h"
#include "adapter/cli/options/output_format.h"
#include "adapter/elle/plots.h"
#include "adapter/source/contention.h"
#include "engine/check/check.h"
#include "engine/ir/result.h"
#include "parsers/door/door.h"
#include "parsers/read.h"

namespace elapid {

/// Milliseconds that a plot may take: up to a day.
inline constexpr Bounds kPlotTimeouts = {.least = 1, .most = 86400000};

/// How long a check may take where nothing else is said.
inline constexpr std::string_view kDefaultTimeout = "10m";

/// What messages call limits and assumptions.
inline constexpr OptionWords kCheckFlags = {.edge_visits = "--work (edge visits)",
                                            .milliseconds = "-s (milliseconds)",
                                            .solver_work = "--work",
                                            .memory = "--memory",
                                            .clock_skew = "--clock-skew",
                                            .linearizable_keys = "--linearizable-keys",
                                            .elle_compat = "--elle-compat",
                                            .workload = "--model"};

/// As typed; the defaults are those of the command line.
struct CheckFlags {
  InputFlags input = {};
  std::string consistency_models = {};  ///< empty: by the kind of history
  std::string level_rules = {};
  std::string anomalies = "none";
  std::string directory = {};
  std::string engine = "auto";
  std::optional<std::int64_t> clock_skew = {};
  bool cross_check = false;
  bool elle_compat = false;
  bool wfr_keys = false;
  bool sequential_keys = false;
  bool linearizable_keys = false;
  std::string keys = {};  ///< the same by the name of the level; empty: neither
  std::string transaction_order = {};
  std::uint64_t cycle_search_timeout_ms = 0;
  WorkloadSettings settings = {};
  std::string accounts = {};
  std::string sub_via = {};
  std::string availability = {};
  std::string failed_cas = {};  ///< empty: as the format says
  std::optional<std::uint64_t> work = {};
  std::string timeout = std::string(kDefaultTimeout);  ///< empty: no limit
  std::string memory = {};
  std::string scratch = {};
  std::string certificate = {};
  std::string max_map = {};
  bool full = false;
  std::string colour = "auto";
  std::string plot_format = "svg";
  bool no_plots = false;
  bool no_sync = false;
  std::uint64_t plot_timeout_ms = 5000;
  std::uint64_t max_plot_bytes = 65536;
  bool verbose = false;
  bool quiet = false;
  std::string fail_on = "invalid";
  std::string least_contention = {};
};

/// How much is said beside the verdict.
enum class Detail : std::uint8_t { kQuiet, kNormal, kVerbose };

/// Names looked up.
struct CheckRequest {
  std::vector<std::string> inputs = {};
  std::size_t threads = 1;
  CheckJob job = {};
  OutputFormat output = OutputFormat::kText;
  Detail detail = Detail::kNormal;
  bool full = false;  ///< no elision of long operations
  std::size_t max_map_bytes = std::numeric_limits<std::size_t>::max();  ///< of its anomalies
  bool colour = false;                                                  ///< in text
  bool fail_on_lint = false;
  std::optional<LeastContention> least_contention = {};  ///< less makes a history vacuous
  std::optional<std::string> certificate = {};           ///< the file for proofs
  std::optional<std::string> directory = {};             ///< where evidence files go
  std::string question = {};                             ///< question_words()
  PlotOptions plots = {};
};

void add_check_flags(Options& options, CheckFlags& flags);

/// Those of them that say what to check and how hard to try, without any on inputs and outputs.
void add_question_flags(Options& options, CheckFlags& flags);

/// Adds --keys, unless that is a number of keys to the command.
void add_keys_level(Options& options, CheckFlags& flags);

/// Adds --level-of; `rules` keeps what was typed, which level_rules_of() reads. Error: kUsage.
void add_level_rules(Options& options, std::string& rules);
[[nodiscard]] Result<LevelRules> level_rules_of(const std::string& rules);

/// Those on what checkers of workloads want to know, and what they say together.
void add_workload_flags(Options& options, CheckFlags& flags);
[[nodiscard]] WorkloadSettings settings_of(const CheckFlags& flags);

/// Those that say what is told of the answer, and which files are written.
void add_answer_flags(Options& options, CheckFlags& flags);

/// The flags that say what to read, what to check and how hard to try, to ask the same again: see
/// answer_words().
[[nodiscard]] std::string question_words(const CheckFlags& flags);

/// Looks up all names. Error: kUsage, or what is wrong with the file of the transaction order.
[[nodiscard]] Result<CheckRequest> check_request(const CheckFlags& flags);

/// Gives a single input's check all threads, and each of several inputs one.
void share_threads(std::size_t inputs, CheckRequest& request);

}  // namespace elapid
