// What a run of `elapid check` or `elapid elle-cli` is asked to do, names looked up.
#ifndef ELAPID_ADAPTER_CLI_CHECK_REQUEST_H_
#define ELAPID_ADAPTER_CLI_CHECK_REQUEST_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/limits.h"
#include "adapter/cli/output_format.h"
#include "adapter/elle/plots.h"
#include "engine/check.h"
#include "parsers/read.h"

namespace elapid {

/// How much is said beside the verdict.
enum class Detail : std::uint8_t { kQuiet, kNormal, kVerbose };

struct CheckRequest {
  std::vector<std::string> inputs = {};
  std::size_t threads = 1;
  ReadOptions read = {};
  CheckOptions check = {};
  Limits limits = {};
  bool demands_default = false;  ///< check.models were not asked for: see models_demanded
  OutputFormat output = OutputFormat::kText;
  Detail detail = Detail::kNormal;
  bool full = false;  ///< no elision of long operations
  bool fail_on_lint = false;
  std::optional<std::string> certificate = {};  ///< the file for proofs
  std::optional<std::string> directory = {};    ///< where evidence files go
  PlotOptions plots = {};
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_CHECK_REQUEST_H_
