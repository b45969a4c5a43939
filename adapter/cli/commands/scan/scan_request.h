// The request of `elapid scan`.
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

/// The request, with all names looked up.
struct Scan {
  CheckRequest request;
  ScanLevels levels = {};
  std::vector<std::string> paths = {};
  std::size_t passed_over = 0;
  bool writes_results = false;  ///< whether results go into the runs' folders
  std::optional<ScanJournal> journal = {};
  std::optional<Shard> shard = {};             ///< none: all histories
  ShardNote shard_note = {};                   ///< the journal's line about it
  std::map<std::string, ScanRow> merged = {};  ///< of --merge: the rows, by path
  std::string missing = {};            ///< of --merge: shares that are absent, or incomplete
  std::vector<CiHistory> for_ci = {};  ///< the histories so far, if the output needs them
};

void add_scan_flags(Options& options, ScanFlags& flags);

/// Looks up names and levels, finds the histories below the given folders, each once (not if it
/// watches the folders), and opens the journal. Errors: those of check_request(), check_places()
/// and ScanJournal::open(), or of merged_scan() if it merges. `program`: program_stamp(), on which
/// remembered rows depend.
[[nodiscard]] Result<Scan> make_scan(const ScanFlags& flags, const std::string& program);

}  // namespace elapid
