// The request of `elapid compare`, with all names looked up.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/options/options.h"
#include "engine/ir/result.h"
#include "harness/compare/compare.h"
#include "parsers/door/level_rules.h"
#include "parsers/door/names.h"
#include "parsers/read.h"

namespace elapid {

/// As typed.
struct CompareFlags {
  InputFlags input = {};
  std::string levels = {};
  std::string level_rules = {};
  std::string with = {};
  std::vector<std::string> descriptions = {};  ///< files
  std::vector<std::string> programs = {};      ///< NAME=PATH
  bool list = false;
  std::string timeout = "5m";
  std::string memory = {};
  std::string grace = "2s";
  std::string record = {};
  std::string directory = {};
  bool minimize = false;
  bool lossy = false;
  bool quiet = false;
};

void add_compare_flags(Options& options, CompareFlags& flags);

struct CompareRequest {
  std::vector<Participant> participants = {};
  /// See questions() in harness/compare/question.h. If claims are asked, each history has its own
  /// questions.
  std::vector<NamedModel> questions = {};
  /// Whether to judge the levels of single transactions as well, from the answers to the questions.
  bool by_transaction = false;
  std::string levels_not_used = {};  ///< for one history: why its own levels do not count
  LevelRules level_rules = {};
  CompareSettings settings = {};
  ReadOptions read = {};
  std::string directory = {};  ///< empty: nothing is written
  bool minimizes = false;
  std::size_t threads = 1;
  std::string reading = {};  ///< reading_words()

  [[nodiscard]] const Checker& checker(std::size_t place) const {
    return participants[place].checker;
  }
};

/// The user's name for the level, if it is in question; else its friendly name.
[[nodiscard]] const std::string& name_of(std::span<const NamedModel> questions, Model question);

/// The same request about one history, with the details of its operations. If the user names no
/// level, the history's claim is asked, or the levels that `elapid check` demands of it
/// (set_demands()). Borrows the history.
[[nodiscard]] CompareRequest request_about(const CompareRequest& request, LoadedHistory& loaded);

/// The checkers built in, and those of the files, which replace checkers with the same name.
/// Errors: those of read_checkers().
[[nodiscard]] Result<std::vector<Checker>> known_checkers(const CompareFlags& flags);

/// One line for each checker: its name, whether it is installed, what it reads and decides.
[[nodiscard]] std::string checker_list(const std::vector<Checker>& checkers,
                                       const CompareFlags& flags);

/// Looks up the levels and the checkers. Without --with, the participants are the engine elapid and
/// all installed checkers that decide one of the levels. For claims they are all installed
/// checkers, since each history has its own levels. Errors: kUsage for an unknown name, or a level
/// that no checker decides; kUnreadable for a named checker that is not installed; those of
/// known_checkers().
[[nodiscard]] Result<CompareRequest> compare_request(const CompareFlags& flags);

}  // namespace elapid
