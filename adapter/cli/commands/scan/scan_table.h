// What `elapid scan` prints: a row for each history, in several forms, and counts at the end.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/exit_codes.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/options/output_format.h"
#include "adapter/cli/reports/ci/ci_history.h"
#include "adapter/elle/document_writer.h"
#include "engine/ir/result.h"

namespace elapid {

/// What became of one history.
struct ScanRow {
  std::string path = {};
  std::string format = {};    ///< empty if it could not be read
  std::string workload = {};  ///< likewise
  std::size_t transactions = 0;
  std::vector<std::string> verdicts = {};   ///< a level asked each: valid, invalid, unknown, or -
  std::vector<std::string> anomalies = {};  ///< types found at any level, sorted
  /// Of the columns that are invalid, in words; only for JUnit, and not kept in journals.
  std::vector<std::string> explanations = {};
  /// What CI systems are told of the histories in it; only for them, and not kept in journals.
  std::vector<CiHistory> for_ci = {};
  double seconds = 0;
  std::string problem = {};  ///< why it was not read, or not checked
  /// What registers seem to hold at first, in place of what was taken for granted: see
  /// likely_initial(). Empty if nothing hints at it; not kept in journals.
  std::string initial = {};
  ExitCode code = ExitCode::kOk;
};

/// What several verdicts amount to, of levels or of histories in one file: the first of invalid, -,
/// unknown and valid that is among them.
[[nodiscard]] std::string together(const std::string& a, const std::string& b);

/// Whether it is one of those.
[[nodiscard]] bool is_verdict(std::string_view word);

/// The row as a map on one line.
[[nodiscard]] std::string row_map(const ScanRow& row, const std::vector<std::string>& levels,
                                  Syntax syntax);

/// The levels that are asked about, in the order and by the names that the user gave them.
struct ScanLevels {
  std::vector<NamedModel> models = {};  ///< none: the default of each history
  std::vector<std::string> names = {};  ///< of the columns, never none
  bool is_ladder = false;               ///< all levels: text tells the strongest and the weakest
};

/// Of what was given as -c; empty: the default. Error: kUsage if a name is unknown.
[[nodiscard]] Result<ScanLevels> scan_levels(const std::string& names, bool elle_compat);

/// What CI systems are told of a row that was kept in a journal: without places and explanations.
[[nodiscard]] CiHistory noted_history(const ScanRow& row, const ScanLevels& levels);

/// Writes rows in the order in which they come.
class ScanTable {
 public:
  /// The columns of paths and levels are as wide as these need. Both must outlive this.
  ScanTable(OutputFormat form, const std::vector<std::string>& paths, const ScanLevels& levels);

  /// A row, with what stands before it if it is the first.
  [[nodiscard]] std::string next(const ScanRow& row);

  /// What closes the document, or in text counts the verdicts of all rows, each history by the
  /// gravest of its verdicts, with a line for each initial value that seems to have been forgotten.
  [[nodiscard]] std::string end(std::size_t passed_over);

 private:
  struct Counts {
    std::size_t valid = 0;
    std::size_t invalid = 0;
    std::size_t unknown = 0;
    std::size_t unreadable = 0;
  };

  void count(const ScanRow& row);
  [[nodiscard]] std::string initial_hints() const;
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string text_row(const ScanRow& row) const;
  [[nodiscard]] std::string ladder_row(const ScanRow& row) const;
  [[nodiscard]] std::string csv_row(const ScanRow& row) const;

  OutputFormat form_;
  const ScanLevels& levels_;
  std::size_t path_width_;
  std::size_t rows_ = 0;
  Counts counts_ = {};
  std::map<std::string, std::size_t> initials_ = {};  ///< histories by ScanRow::initial
};

}  // namespace elapid
