// What `elapid scan` is asked to do.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/commands/scan/scan_journal.h"
#include "adapter/cli/commands/scan/scan_shard.h"
#include "adapter/cli/commands/scan/scan_table.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/reports/ci/ci_history.h"
#include "engine/ir/result.h"

namespace elapid {

struct ScanFlags {
  CheckFlags check = {};
  std::string resume = {};
  std::string shard = {};
  bool merge = false;
  bool write_results = false;
  bool watch = false;
};

/// The same, looked up.
struct Scan {
  CheckRequest request;
  ScanLevels levels = {};
  std::vector<std::string> paths = {};
  std::size_t passed_over = 0;
  bool writes_results = false;  ///< into the runs
  std::optional<ScanJournal> journal = {};
  std::optional<Shard> shard = {};             ///< none: all histories
  ShardNote shard_note = {};                   ///< what the journal says of it
  std::map<std::string, ScanRow> merged = {};  ///< of --merge: the rows, by path
  std::string missing = {};            ///< of --merge: shares that are not there, or not whole
  std::vector<CiHistory> for_ci = {};  ///< what was checked so far, if the output is made of it
};

void add_scan_flags(Options& options, ScanFlags& flags);

/// Looks up names and levels, finds the histories below the folders given, each once (not if it
/// watches them), and opens the journal. Errors: those of check_request(), check_places() and
/// ScanJournal::open(), or of merged_scan() if it merges. `program`: program_stamp(), on which
/// remembered rows depend.
[[nodiscard]] Result<Scan> make_scan(const ScanFlags& flags, const std::string& program);

}  // namespace elapid
