// The same history to several checkers: Elapid's own engines, and programs of others.
//
// Checkers differ in more than their verdicts. One reads another format, one always takes the order
// of sessions into account, one knows no aborted transactions. So the history is converted to what
// each of them reads, each is asked what it really decides (question.h), and where a conversion or
// an assumption would change the question it is not asked, with the reason.
//
//   const Participant mine = {.checker = checker, .program = "/usr/bin/mine"};
//   Result<ShownHistory> shown = ShownHistory::create(history, settings);
//   const CheckerAnswer answer = shown.value().ask(mine, Model::kPlSi);
//   if (answer.outcome == Outcome::kFailed) { ... answer.reason ... }
//
// What the answers come to is told by agreement.h.
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

/// A checker, and where its program is.
struct Participant {
  Checker checker;
  std::string program = {};
};

struct CompareSettings {
  /// Workloads without levels are asked about what their checker demands, in place of a level: of
  /// them there is no other question.
  bool asks_claims = false;
  RunLimits limits = {};
  LossPolicy policy = LossPolicy::kHarmless;       ///< of conversions
  std::string_view any_loss = "LossPolicy::kAny";  ///< what the caller calls that
  EventDetailsFn details = {};                     ///< of a history without levels: its operations
  CheckOptions check = {};                         ///< of Elapid's engines; models are replaced
  std::function<bool()> is_cancelled = {};         ///< may be empty
};

/// Those of one check by Elapid's engines. `words`: what a reason calls them.
[[nodiscard]] Limits limits_of_check(const CompareSettings& settings, std::string words);

/// How Elapid is asked about a history. Claims of workloads that judge their operations have no
/// models; there Engine::kElle stands for Jepsen's checkers, to the letter.
[[nodiscard]] CheckOptions options_for(const History& history, Engine engine, Model question,
                                       const CompareSettings& settings);

/// Where the checker's program is: as `told`, or where its environment variable says, or on the
/// PATH. Empty for a checker that needs none. Error: kUnreadable, with what could be set,
/// but not the checker's name.
[[nodiscard]] Result<std::string> find_program(const Checker& checker,
                                               const std::optional<std::string>& told);

/// In which form a checker can be given a history.
struct Presentation {
  const CheckerInput* input = nullptr;  ///< null: as it is, or not at all
  std::vector<Loss> losses = {};
  std::string refusal = {};  ///< why there is none: of each format; empty: there is one
};

/// The first of the checker's formats that holds the history. O(n log n) for each that does not.
[[nodiscard]] Presentation present(const History& history, const Checker& checker,
                                   const CompareSettings& settings);

/// Why the checker cannot be asked this of the history in this form; nothing if it can.
[[nodiscard]] std::optional<std::string> obstacle(const History& history, const Checker& checker,
                                                  const Presentation& presentation, Model question,
                                                  const CompareSettings& settings);

/// One history that is shown to checkers, converted once for each format. Borrows the history and
/// the settings. For one thread.
class ShownHistory {
 public:
  /// Error: of ScratchFolder::create().
  static Result<ShownHistory> create(const History& history, const CompareSettings& settings);

  /// What the checker says of the level. Not asked if it does not decide it, or if there is an
  /// obstacle; failed if it could not be run, or gave no verdict.
  CheckerAnswer ask(const Participant& participant, Model question);

  /// What Elapid says of the levels that transactions ask for, which no other checker decides
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
  std::map<std::string, Presentation> presentations_ = {};     // by the checker's name
  std::map<std::string, Result<std::string>> converted_ = {};  // by format and name: the path
  std::size_t runs_ = 0;
};

}  // namespace elapid
