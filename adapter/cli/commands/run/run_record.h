// The record of a run beside its history: `test.edn`, which says how to repeat the run, and the
// summary for the terminal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/commands/run/run_request.h"
#include "harness/drive/drive.h"
#include "harness/drive/driver.h"

namespace elapid {

/// A map in EDN: name, time, version, database with its facts, level, workload, seed and numbers;
/// after the run also the counts of the sessions.
[[nodiscard]] std::string test_map(const RunRequest& request, const std::string& time,
                                   const std::vector<DatabaseFact>& facts,
                                   const std::optional<DriveCounts>& counts);

/// `120,312 transactions with 301,003 operations in 1.0 s (120,312 a second): ...`
[[nodiscard]] std::string counts_text(const DriveCounts& counts);

/// `RocksDB 7.8.3`; empty if the database has not told its name.
[[nodiscard]] std::string database_name(const std::vector<DatabaseFact>& facts);

/// `list-append on RocksDB 7.8.3 at read-committed, seed 7, 10 sessions`
[[nodiscard]] std::string run_text(const RunRequest& request,
                                   const std::vector<DatabaseFact>& facts);

}  // namespace elapid
