// What `elapid scan` is asked to do.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/commands/scan/scan_journal.h"
#include "adapter/cli/commands/scan/scan_table.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/reports/ci/ci_history.h"
#include "engine/ir/result.h"

namespace elapid {

struct ScanFlags {
  CheckFlags check = {};
  std::string resume = {};
  bool write_results = false;
  bool watch = false;
};

/// The same, looked up.
struct Scan {
  CheckRequest request;
  ScanLevels levels;
  std::vector<std::string> paths;
  std::size_t passed_over = 0;
  bool writes_results = false;  ///< into the runs
  std::optional<ScanJournal> journal;
  std::vector<CiHistory> for_ci = {};  ///< what was checked so far, if the output is made of it
};

void add_scan_flags(Options& options, ScanFlags& flags);

/// Looks up names and levels, finds the histories below the folders given, each once (not if it
/// watches them), and opens the journal. Errors: those of check_request(), check_places() and
/// ScanJournal::open(). `program`: program_stamp(), on which remembered rows depend.
[[nodiscard]] Result<Scan> make_scan(const ScanFlags& flags, const std::string& program);

}  // namespace elapid
