// The matrix of `elapid run --matrix`, for people, for programs and as a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/matrix/matrix.h"

namespace elapid {

/// Runs and how they came about.
struct MatrixReport {
  std::string time = {};     ///< when it began: `20261123T064000.000Z`
  std::string command = {};  ///< that makes the same requests again
  std::uint64_t seed = 0;
  std::vector<MatrixRun> runs = {};
};

/// `kept`, `broken` or `unknown`.
[[nodiscard]] std::string_view promise_word(Validity promise);

/// Of the levels, with commas; `-` of none.
[[nodiscard]] std::string model_names(ModelSet models);

/// `16.6`: how many of a hundred; 0.0 of none.
[[nodiscard]] std::string percent_text(std::uint64_t part, std::uint64_t whole);

/// `1.20 (1.01 to 1.42)`: anomalies in a thousand transactions that committed, and the limits that
/// hold the true rate in 95 runs of 100.
[[nodiscard]] std::string rate_text(const MatrixRun& run);

/// Two tables: what each database and level came to, and the runs.
[[nodiscard]] std::string matrix_text(const MatrixReport& report);

/// The same in Markdown, for a document, with workloads in columns.
[[nodiscard]] std::string matrix_markdown(const MatrixReport& report);

/// One document in JSON, with the same.
[[nodiscard]] std::string matrix_json(const MatrixReport& report);

/// One page that needs nothing else, with the levels of each row as a chart.
[[nodiscard]] std::string matrix_page(const MatrixReport& report);

}  // namespace elapid
