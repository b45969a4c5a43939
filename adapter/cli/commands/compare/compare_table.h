// The output of `elapid compare`: a row for each history and level. At the end stand the agreement
// of each pair of checkers, the costs of each checker, and the disagreements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/cli/commands/compare/compare_request.h"
#include "adapter/cli/commands/compare/compared_history.h"
#include "adapter/elle/document_writer.h"
#include "harness/compare/agreement.h"

namespace elapid {

enum class CompareForm : std::uint8_t { kText, kJson, kJsonl, kCsv };

/// `text`, `json`, `jsonl` or `csv`; other names mean text.
[[nodiscard]] CompareForm compare_form(std::string_view name);

/// Writes histories in the order of the calls.
class CompareTable {
 public:
  /// The column of histories is as wide as these paths. `request` must outlive this.
  CompareTable(CompareForm form, const CompareRequest& request,
               const std::vector<std::string>& paths);

  /// The rows of a history; before the first rows, the head.
  [[nodiscard]] std::string next(const ComparedHistory& history);

  /// The row of a history that could not be read.
  [[nodiscard]] std::string next_unreadable(const std::string& path, const std::string& problem);

  /// The end of the output: agreement, costs and disagreements, and the end of the document.
  [[nodiscard]] std::string end(const Agreement& agreement);

 private:
  /// A ruling with the name of its history.
  struct Found {
    std::string label;
    std::vector<NamedModel> questions;
    Ruling ruling;
  };

  [[nodiscard]] std::string separator();

  // Rows.
  [[nodiscard]] std::string header() const;
  [[nodiscard]] std::string text_rows(const ComparedHistory& history) const;
  [[nodiscard]] std::string csv_rows(const ComparedHistory& history) const;
  void write_row(const ComparedHistory& history, const std::string& level,
                 std::span<const CheckerAnswer* const> answers, DocumentWriter& out) const;

  // The end.
  [[nodiscard]] std::string matrix_text(const Agreement& agreement) const;
  [[nodiscard]] std::string costs_text(const Agreement& agreement) const;
  [[nodiscard]] std::string failures_text(const Agreement& agreement) const;
  [[nodiscard]] std::string found_text() const;
  [[nodiscard]] std::string found_text(const Found& found) const;
  void write_agreement(const Agreement& agreement, DocumentWriter& out) const;
  void write_checker(const Agreement& agreement, std::size_t place, DocumentWriter& out) const;
  void write_found(const Found& found, DocumentWriter& out) const;
  [[nodiscard]] std::string json_end(const Agreement& agreement) const;
  [[nodiscard]] std::string jsonl_end(const Agreement& agreement) const;

  [[nodiscard]] const std::string& name(std::size_t place) const {
    return request_.checker(place).name;
  }

  /// `polysi, awdit (of ra)`.
  [[nodiscard]] std::string sides_text(const std::vector<Side>& sides, const Found& found) const;

  CompareForm form_;
  const CompareRequest& request_;
  std::size_t path_width_ = 7;
  std::size_t level_width_ = 5;
  std::vector<std::size_t> checker_widths_ = {};
  std::size_t rows_ = 0;
  std::vector<Found> found_ = {};
};

}  // namespace elapid
