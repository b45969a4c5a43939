// Gives the same history to several checkers: Elapid's own engines, and other programs.
//
// Checkers differ in more than their verdicts: in their formats, in their treatment of session
// order, in their knowledge of aborted transactions. So the history is converted to a format of
// each checker, and each checker is asked about the level that it really decides (question.h). If a
// conversion or an assumption would change the question, it is not asked, with the reason.
//
//   const Participant mine = {.checker = checker, .program = "/usr/bin/mine"};
//   Result<ShownHistory> shown = ShownHistory::create(history, settings);
//   const CheckerAnswer answer = shown.value().ask(mine, Model::kPlSi);
//   if (answer.outcome == Outcome::kFailed) { ... answer.reason ... }
//
// agreement.h compares the answers.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "harness/compare/answer.h"
#include "harness/compare/checker.h"
#include "harness/process/program_run.h"
#include "harness/process/scratch_folder.h"
#include "parsers/door/limits.h"
#include "parsers/write.h"

namespace elapid {

/// A checker, and the path of its program.
struct Participant {
  Checker checker;
  std::string program = {};
};

struct CompareSettings {
  /// Whether workloads without levels are asked about the claim of their checker instead of a
  /// level: they have no other question.
  bool asks_claims = false;
  RunLimits limits = {};
  LossPolicy policy = LossPolicy::kHarmless;       ///< of conversions
  std::string_view any_loss = "LossPolicy::kAny";  ///< the caller's name of that policy
  EventDetailsFn details = {};                     ///< the operations of a history without levels
  CheckOptions check = {};                  ///< for Elapid's engines; its models are replaced
  std::function<bool()> is_cancelled = {};  ///< may be empty
};

/// The limits of a check by Elapid's engines. `words`: their names in a reason.
[[nodiscard]] Limits limits_of_check(const CompareSettings& settings, std::string words);

/// The options for a check by Elapid. Workloads that judge their operations have claims without
/// models; for these Engine::kElle stands for Jepsen's checkers, reproduced exactly.
[[nodiscard]] CheckOptions options_for(const History& history, Engine engine, Model question,
                                       const CompareSettings& settings);

/// The path of the checker's program: `told`, or the value of its environment variable, or the
/// program on the PATH. Empty for a checker that needs none. Error: kUnreadable, with the settings
/// that help, but without the checker's name.
[[nodiscard]] Result<std::string> find_program(const Checker& checker,
                                               const std::optional<std::string>& told);

/// The form of a history for a checker.
struct Presentation {
  const CheckerInput* input = nullptr;  ///< null: the original, or nothing
  std::vector<Loss> losses = {};
  std::string refusal = {};  ///< why no format is possible, for each format; empty: there is one
};

/// The first of the checker's formats that can hold the history. O(n log n) for each that cannot.
[[nodiscard]] Presentation present(const History& history, const Checker& checker,
                                   const CompareSettings& settings);

/// The reason why the checker cannot be asked this about this form of the history; else nothing.
[[nodiscard]] std::optional<std::string> obstacle(const History& history, const Checker& checker,
                                                  const Presentation& presentation, Model question,
                                                  const CompareSettings& settings);

/// One history for several checkers, converted once for each format. Borrows the history and the
/// settings. Not thread-safe.
class ShownHistory {
 public:
  /// Errors: those of ScratchFolder::create().
  static Result<ShownHistory> create(const History& history, const CompareSettings& settings);

  /// The checker's answer about the level. kNotAsked if it does not decide the level or an obstacle
  /// exists; kFailed if it could not run or gave no verdict.
  CheckerAnswer ask(const Participant& participant, Model question);

  /// Elapid's answer about the levels that transactions ask for. No other checker decides these
  /// (mix_bounds.h).
  [[nodiscard]] CheckerAnswer ask_by_transaction() const;

 private:
  ShownHistory(const History& history, const CompareSettings& settings, ScratchFolder scratch)
      : history_(&history), settings_(&settings), scratch_(std::move(scratch)) {}

  CheckerAnswer ask_engine(CheckOptions options) const;
  CheckerAnswer ask_program(const Participant& participant, const CheckerLevel* level,
                            const Presentation& presentation);
  const Presentation& presentation(const Checker& checker);
  Result<std::string> converted(const CheckerInput& input);

  const History* history_;
  const CompareSettings* settings_;
  ScratchFolder scratch_;
  std::map<std::string, Presentation> presentations_ = {};     // by checker name
  std::map<std::string, Result<std::string>> converted_ = {};  // by format and name: the path
  std::size_t runs_ = 0;
};

}  // namespace elapid
