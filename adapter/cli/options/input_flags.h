// Flags of every subcommand that reads histories.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/options/options.h"
#include "adapter/cli/options/output_format.h"
#include "adapter/cli/terminal/progress.h"
#include "engine/ir/result.h"
#include "engine/verdict/judge_request.h"
#include "parsers/door/door.h"
#include "parsers/read.h"

namespace elapid {

/// The names of the options of reading in messages.
inline constexpr ReadWords kReadFlags = {.format = "--format",
                                         .independent = "--independent",
                                         .longest_line = "--max-line",
                                         .salvage = "--salvage"};

/// The values as typed, before names are looked up.
struct InputFlags {
  std::vector<std::string> inputs = {};
  std::string format = {};
  std::string workload = {};
  std::string initial = {};
  std::string max_line = {};
  bool salvage = false;
  bool independent = false;
  std::size_t threads = 0;  ///< 0: one a core
  std::string output = "text";
};

/// Adds INPUT..., -f, -m, --initial, --salvage, --max-line and -j.
void add_reading_flags(Options& options, InputFlags& flags);

/// Adds the reading flags, --independent, and -o for a form of output.
void add_input_flags(Options& options, InputFlags& flags);

/// Adds --fail-on; `value` keeps the typed text.
void add_fail_on(Options& options, std::string& value);

/// The options of the reader that the flags mean. Error: kUsage for an unknown name.
[[nodiscard]] Result<ReadOptions> read_options(const InputFlags& flags);

/// The histories that one input means: itself, or all below a folder (find_histories()). Error:
/// kUnreadable for a folder without a history.
[[nodiscard]] Result<std::vector<std::string>> histories_below(const std::string& input);

/// The histories that the inputs name. A folder means all histories below it, unless the format is
/// one of directories of logs. Error: kUnreadable for a folder without a history.
[[nodiscard]] Result<std::vector<std::string>> histories_named(const InputFlags& flags);

[[nodiscard]] std::size_t thread_count(const InputFlags& flags);
[[nodiscard]] OutputFormat output_format(const InputFlags& flags);

/// Shows the progress of work on one input.
[[nodiscard]] Observer observer(const std::string& path, Progress& progress);

/// Reads one input, with its progress shown. Error kUsage for keys whose values would be mixed up.
Result<LoadedHistory> read_input(const std::string& path, ReadOptions options, Progress& progress);

/// Reads all histories of one input: several with --independent.
Result<std::vector<LoadedHistory>> read_inputs(const std::string& path, ReadOptions options,
                                               Progress& progress);

/// A line for each break in the input after which --salvage dropped something.
[[nodiscard]] std::string salvage_warnings(const std::string& path, const History& history);

// Options for the meaning of single operations on objects, if the history does not tell it.

/// Adds --failed-cas, and translates its word.
void add_failed_cas_flag(Options& options, std::string& how);
[[nodiscard]] FailedCas failed_cas_of(std::string_view how);

/// Adds --lock and --lock-limit.
void add_lock_flags(Options& options, WorkloadSettings& settings);

}  // namespace elapid
