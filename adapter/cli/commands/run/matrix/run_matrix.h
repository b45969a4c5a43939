// elapid run --matrix: carries out many runs, one after another, and sums up their results.
#pragma once

#include "adapter/cli/commands/run/run_request.h"
#include "adapter/cli/exit_codes.h"

namespace elapid {

/// Carries out the runs of matrix_plan(), each in a process of its own, so that a crash of an
/// embedded database ends one run only. Leaves matrix.txt, matrix.json and matrix.html in
/// `STORE/matrix/TIME`, and prints matrix.txt. The exit code says whether all promises were kept.
Result<ExitCode> run_matrix(const RunFlags& flags);

}  // namespace elapid
