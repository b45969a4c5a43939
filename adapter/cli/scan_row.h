// One line of the table that `elapid scan` prints: what became of one history.
#ifndef ELAPID_ADAPTER_CLI_SCAN_ROW_H_
#define ELAPID_ADAPTER_CLI_SCAN_ROW_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/exit_codes.h"
#include "adapter/elle/document_writer.h"

namespace elapid {

struct ScanRow {
  std::string path = {};
  std::string format = {};    ///< empty if it could not be read
  std::string workload = {};  ///< likewise
  std::size_t transactions = 0;
  std::vector<std::string> verdicts = {};   ///< a level asked each: valid, invalid, unknown, or -
  std::vector<std::string> anomalies = {};  ///< types found at any level, sorted
  double seconds = 0;
  std::string problem = {};  ///< why it was not read, or not checked
  ExitCode code = ExitCode::kOk;
};

/// The table's columns, as wide as the paths and names of levels need.
class ScanTable {
 public:
  ScanTable(const std::vector<std::string>& paths, std::vector<std::string> levels);

  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string line(const ScanRow& row) const;

 private:
  std::size_t path_width_;
  std::vector<std::string> levels_;
};

/// The row as a map on one line.
[[nodiscard]] std::string row_map(const ScanRow& row, const std::vector<std::string>& levels,
                                  Syntax syntax);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_CLI_SCAN_ROW_H_
