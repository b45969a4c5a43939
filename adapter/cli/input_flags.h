// Flags of every subcommand that reads histories.
#ifndef ELAPID_ADAPTER_CLI_INPUT_FLAGS_H_
#define ELAPID_ADAPTER_CLI_INPUT_FLAGS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "adapter/cli/output_format.h"
#include "adapter/cli/progress.h"
#include "engine/ir/result.h"
#include "parsers/read.h"

namespace CLI {
class App;
}

namespace elapid {

/// As typed, before names are looked up.
struct InputFlags {
  std::vector<std::string> inputs = {};
  std::string format = {};
  std::string workload = {};
  std::string initial = {};
  bool salvage = false;
  std::size_t threads = 0;  ///< 0: one a core
  std::string output = "text";
};

/// Adds INPUT..., -f, -m, --initial, --salvage, -j and -o.
void add_input_flags(CLI::App& app, InputFlags& flags);

/// What the flags ask of the reader. Error: kUsage for a name that is unknown or not there yet.
[[nodiscard]] Result<ReadOptions> read_options(const InputFlags& flags);

[[nodiscard]] std::size_t thread_count(const InputFlags& flags);
[[nodiscard]] OutputFormat output_format(const InputFlags& flags);

/// Reads one input, with its progress shown.
Result<LoadedHistory> read_input(const std::string& path, ReadOptions options, Progress& progress);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_INPUT_FLAGS_H_
