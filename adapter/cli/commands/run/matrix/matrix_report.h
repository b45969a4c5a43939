// The matrix of `elapid run --matrix`, for people, for programs and as a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/matrix/matrix.h"

namespace elapid {

/// The runs, and the command that made them.
struct MatrixReport {
  std::string time = {};     ///< the beginning: `20261123T064000.000Z`
  std::string command = {};  ///< repeats the runs with the same requests
  std::uint64_t seed = 0;
  std::vector<MatrixRun> runs = {};
};

/// `kept`, `broken` or `unknown`.
[[nodiscard]] std::string_view promise_word(Validity promise);

/// The names of the levels, with commas between them; `-` for none.
[[nodiscard]] std::string model_names(ModelSet models);

/// The part in per cent, as `16.6`; `0.0` if the whole is 0.
[[nodiscard]] std::string percent_text(std::uint64_t part, std::uint64_t whole);

/// `1.20 (1.01 to 1.42)`: anomalies in a thousand committed transactions, and the 95 % confidence
/// interval of that rate. `-` if they were not counted.
[[nodiscard]] std::string rate_text(const MatrixRun& run);

/// Two tables: the result of each database and level, and the runs.
[[nodiscard]] std::string matrix_text(const MatrixReport& report);

/// The same in Markdown, for a document, with workloads in columns.
[[nodiscard]] std::string matrix_markdown(const MatrixReport& report);

/// The same as one document in JSON.
[[nodiscard]] std::string matrix_json(const MatrixReport& report);

/// The same as an HTML page in one file. A chart shows the levels of each row.
[[nodiscard]] std::string matrix_page(const MatrixReport& report);

}  // namespace elapid
