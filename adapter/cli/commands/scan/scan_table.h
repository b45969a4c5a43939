// The output of `elapid scan`: a row for each history, in several forms, and counts at the end.
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

/// The result of one history.
struct ScanRow {
  std::string path = {};
  std::string format = {};    ///< empty if it could not be read
  std::string workload = {};  ///< empty if it could not be read
  std::size_t transactions = 0;
  std::vector<std::string> verdicts = {};   ///< by asked level: valid, invalid, unknown, or -
  std::vector<std::string> anomalies = {};  ///< types found at any level, sorted
  /// By column, of invalid verdicts: the proof in words. For JUnit only; journals do not keep it.
  std::vector<std::string> explanations = {};
  /// The part that CI systems show. For them only; journals do not keep it.
  std::vector<CiHistory> for_ci = {};
  double seconds = 0;
  std::string problem = {};  ///< why the history was not read, or not checked
  /// The likely initial value of registers, if it is not the assumed one: see likely_initial().
  /// Empty without a hint; journals do not keep it.
  std::string initial = {};
  ExitCode code = ExitCode::kOk;
};

/// The sum of several verdicts (of levels, or of histories in one file): the first word of
/// `invalid`, `-`, `unknown`, `valid` that is among them.
[[nodiscard]] std::string together(const std::string& a, const std::string& b);

/// Whether the word is one of these four.
[[nodiscard]] bool is_verdict(std::string_view word);

/// The row as a map on one line.
[[nodiscard]] std::string row_map(const ScanRow& row, const std::vector<std::string>& levels,
                                  Syntax syntax);

/// The asked levels, in the user's order and with the user's names.
struct ScanLevels {
  std::vector<NamedModel> models = {};  ///< none: what is demanded of each history
  std::vector<std::string> names = {};  ///< of the columns, never empty
  bool is_ladder = false;  ///< all levels: text shows the strongest and the weakest only
};

/// The levels of the option -c; empty: the default; or those that transactions asked for. Error:
/// kUsage for an unknown name.
[[nodiscard]] Result<ScanLevels> scan_levels(const std::string& names, bool elle_compat);

/// The part that CI systems show of a journal's row, which has no places and explanations.
[[nodiscard]] CiHistory noted_history(const ScanRow& row, const ScanLevels& levels);

/// Writes rows in the order of the calls.
class ScanTable {
 public:
  /// Makes the columns wide enough for these paths and levels. Both must outlive this.
  ScanTable(OutputFormat form, const std::vector<std::string>& paths, const ScanLevels& levels);

  /// A row; before the first one, the head of the table or document.
  [[nodiscard]] std::string next(const ScanRow& row);

  /// The end of the document. In text: counts of the histories by their gravest verdict, and a line
  /// for each initial value that the user seems to have forgotten.
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
