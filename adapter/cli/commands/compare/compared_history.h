// One history in a comparison: the answer of each checker, and their contradictions.
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

/// Why a checker cannot be asked about a history; or a loss or addition, by its letter, in the form
/// for that checker.
struct PlanNote {
  std::size_t checker = 0;
  std::string text = {};   ///< the obstacle, or what is lost or made up
  char letter = ' ';       ///< of docs/conversion.md; a blank for an obstacle
  std::string label = {};  ///< of the history

  /// Whether the checker can be asked none of the questions that it decides.
  [[nodiscard]] bool is_obstacle() const { return letter == ' '; }
};

/// The facts about an input's histories before a checker runs.
struct PlannedInput {
  std::vector<PlanNote> notes = {};
  /// By checker: whether it can be asked any question.
  std::vector<bool> can_be_asked = {};
  std::optional<Error> error = {};  ///< the input cannot be read
};

/// Reads an input and plans the form for each checker. Tells nothing of an input that can be read
/// only once, such as standard input.
[[nodiscard]] PlannedInput plan_input(const CompareRequest& request, const std::string& path,
                                      Progress& progress);

struct ComparedHistory {
  std::string label = {};  ///< its path, and its independent key
  std::string format = {};
  Workload workload = Workload::kOther;
  std::size_t transactions = 0;
  std::vector<NamedModel> questions = {};
  std::vector<Statement> statements =
      {};                            ///< of all checkers to all questions, question by question
  std::vector<Ruling> rulings = {};  ///< of its disagreements
  /// By checker: the answer about levels by transaction: its own answer, or the one that its
  /// answers on levels imply. Empty if that is not asked.
  std::vector<CheckerAnswer> by_transaction = {};
};

/// Asks all checkers about the histories of an input, in order. Other failures, such as a record or
/// a certificate that cannot be written, go into the report.
[[nodiscard]] std::vector<ComparedHistory> compare_input(const CompareRequest& request,
                                                         const std::string& path,
                                                         CompareRecord* record, Progress& progress,
                                                         Report& report);

}  // namespace elapid
