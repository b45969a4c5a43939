// Which runs a matrix consists of: databases, levels and workloads, each with each.
#pragma once

#include <string>
#include <vector>

#include "adapter/cli/commands/run/run_request.h"
#include "engine/ir/result.h"
#include "harness/matrix/matrix.h"

namespace elapid {

/// A run, as `elapid run` would be told.
struct PlannedRun {
  std::string address;
  PromisedLevel promised;  ///< that clients ask for
  std::string workload;
  RunFlags flags = {};
};

struct MatrixPlan {
  std::vector<PlannedRun> runs = {};
  /// What is not among them, and why: databases that were not named and are not here, workloads
  /// that a database cannot be tried with.
  std::vector<std::string> left_out = {};
};

/// `--db`, `--isolation` and `-m` are lists with commas. Without `--db`: every database that is
/// here; without `--isolation`: all levels of each (`pairs`: all pairs of them, by transaction);
/// without
/// `-m`: list-append, mini and long-fork.
/// Each run demands the levels of the reports' chart, and that which clients ask for, as far as its
/// workload shows them. Error: kUsage
/// for what no run could be asked.
[[nodiscard]] Result<MatrixPlan> matrix_plan(const RunFlags& flags);

}  // namespace elapid
