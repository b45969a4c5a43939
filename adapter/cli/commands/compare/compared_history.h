// One history in a comparison: what each checker says of it, and where they contradict one another.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/commands/compare/compare_record.h"
#include "adapter/cli/commands/compare/compare_request.h"
#include "adapter/cli/commands/compare/ruling.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/progress.h"
#include "harness/compare/agreement.h"
#include "parsers/read.h"

namespace elapid {

/// An obstacle that keeps a checker from being asked about a history, or a letter of what is lost
/// or made up when it is shown one.
struct PlanNote {
  std::size_t checker = 0;
  std::string text = {};   ///< the obstacle, or what is lost or made up
  char letter = ' ';       ///< of docs/conversion.md; a blank for an obstacle
  std::string label = {};  ///< of the history

  /// Whether the checker cannot be asked any of the questions that it decides.
  [[nodiscard]] bool is_obstacle() const { return letter == ' '; }
};

/// What is known of the histories of an input before anything runs.
struct PlannedInput {
  std::vector<PlanNote> notes = {};
  /// Of each checker whether it can be asked anything.
  std::vector<bool> can_be_asked = {};
  std::optional<Error> error = {};  ///< the input cannot be read
};

/// Reads an input and plans how each checker would be shown what is in it. Of an input that can be
/// read only once, as standard input, nothing is known before.
[[nodiscard]] PlannedInput plan_input(const CompareRequest& request, const std::string& path,
                                      Progress& progress);

struct ComparedHistory {
  std::string label = {};  ///< its path, and the independent key it is of
  std::string format = {};
  Workload workload = Workload::kOther;
  std::size_t transactions = 0;
  std::vector<Statement> statements =
      {};                            ///< of all checkers to all questions, question by question
  std::vector<Ruling> rulings = {};  ///< of its disagreements
  /// Where they are judged: what each checker, or what it says of levels, comes to about the levels
  /// that transactions ask for.
  std::vector<CheckerAnswer> by_transaction = {};
};

/// Asks all checkers about the histories of an input, in order. What goes wrong beside (a record, a
/// certificate that cannot be written) is in the report.
[[nodiscard]] std::vector<ComparedHistory> compare_input(const CompareRequest& request,
                                                         const std::string& path,
                                                         CompareRecord* record, Progress& progress,
                                                         Report& report);

}  // namespace elapid
