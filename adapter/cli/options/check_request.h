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

/// The limit of a check's time, if the user sets none.
inline constexpr std::string_view kDefaultTimeout = "10m";

/// The names of limits and assumptions in messages.
inline constexpr OptionWords kCheckFlags = {.edge_visits = "--work (edge visits)",
                                            .milliseconds = "-s (milliseconds)",
                                            .solver_work = "--work",
                                            .memory = "--memory",
                                            .clock_skew = "--clock-skew",
                                            .linearizable_keys = "--linearizable-keys",
                                            .elle_compat = "--elle-compat",
                                            .workload = "--model"};

/// The values as typed; the defaults are those of the command line.
struct CheckFlags {
  InputFlags input = {};
  std::string consistency_models = {};  ///< empty: by the kind of history; kEmptyList: given as ""
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
  std::string keys = {};  ///< by the level's name; empty: neither
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

/// The amount of text beside the verdict.
enum class Detail : std::uint8_t { kQuiet, kNormal, kVerbose };

/// The checks, with all names looked up.
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
  std::optional<std::string> directory = {};             ///< the folder for evidence files
  std::string question = {};                             ///< question_words()
  PlotOptions plots = {};
  std::string reading = {};  ///< reading_words()
};

/// The options that the answer depends on: reading, the question, and how hard to try.
void add_asked_flags(Options& options, CheckFlags& flags);

void add_check_flags(Options& options, CheckFlags& flags);

/// Adds the flags for the question and the effort, without those for inputs and outputs.
void add_question_flags(Options& options, CheckFlags& flags);

/// Adds --keys, unless the command uses that name for a number of keys.
void add_keys_level(Options& options, CheckFlags& flags);

/// Adds --level-of; `rules` keeps the typed text, which level_rules_of() reads. Error: kUsage.
void add_level_rules(Options& options, std::string& rules);
[[nodiscard]] Result<LevelRules> level_rules_of(const std::string& rules);

/// The flags for the checkers of workloads, and the settings that they give.
void add_workload_flags(Options& options, CheckFlags& flags);
[[nodiscard]] WorkloadSettings settings_of(const CheckFlags& flags);

/// The flags for the content of the answer and for the files to write.
void add_answer_flags(Options& options, CheckFlags& flags);

/// The flags for the input, the question and the effort, with which a user can repeat the check:
/// see answer_words().
[[nodiscard]] std::string question_words(const CheckFlags& flags);

/// Adds the flags by which `elapid certify` reads and judges a history as the check did.
void add_certified_flags(Options& options, CheckFlags& flags);

/// These flags, with which a user can have the answer verified.
[[nodiscard]] std::string reading_words(const CheckFlags& flags);

/// Looks up all names. Error: kUsage, or an error of the file of the transaction order.
[[nodiscard]] Result<CheckRequest> check_request(const CheckFlags& flags);

/// Gives all threads to the check of a single input, or one to each of several inputs.
void share_threads(std::size_t inputs, CheckRequest& request);

}  // namespace elapid
