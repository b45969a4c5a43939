// Writes and reads one run of a matrix as JSON.
#pragma once

#include <string>

#include "adapter/elle/document_writer.h"
#include "engine/ir/result.h"
#include "harness/matrix/matrix.h"

namespace elapid {

/// A map: level by level, anomalies, rate and counts. The request is not in it.
void write_run(DocumentWriter& out, const MatrixRun& run);

/// The answers at levels, as a map from names.
void write_standings(DocumentWriter& out, const std::vector<Standing>& standings);

/// The same as one document.
[[nodiscard]] std::string run_json(const MatrixRun& run);

/// Reads the output of run_json() into `run`. Error kMalformed.
Status take_run(std::string json, MatrixRun& run);

}  // namespace elapid
