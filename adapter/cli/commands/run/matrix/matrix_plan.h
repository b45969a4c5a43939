// The runs of a matrix: databases, levels and workloads, each with each.
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
  PromisedLevel promised;  ///< the level that clients ask for
  std::string workload;
  RunFlags flags = {};
};

struct MatrixPlan {
  std::vector<PlannedRun> runs = {};
  /// The left-out runs and the reasons: databases that were not named and are not installed,
  /// workloads that a database does not support.
  std::vector<std::string> left_out = {};
};

/// `--db`, `--isolation` and `-m` are lists with commas. Without `--db`:
/// every installed database. Without `--isolation`: all levels of each
/// database (`pairs`: all pairs of levels, by transaction). Without `-m`:
/// list-append, mini and long-fork. Each run demands the levels of the
/// reports' chart and the level that clients ask for, as far as its
/// workload can show them. Error: kUsage for requests that no run can carry
/// out.
[[nodiscard]] Result<MatrixPlan> matrix_plan(const RunFlags& flags);

}  // namespace elapid
