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
  /// See questions() in harness/compare/question.h. Each history has its own if claims are asked.
  std::vector<NamedModel> questions = {};
  /// Whether the levels that transactions ask for are judged as well, from the answers at the
  /// questions.
  bool by_transaction = false;
  std::string levels_not_used = {};  ///< of one history: why levels that it names do not count
  LevelRules level_rules = {};
  CompareSettings settings = {};
  ReadOptions read = {};
  std::string directory = {};  ///< empty: nothing is written
  bool minimizes = false;
  std::size_t threads = 1;

  [[nodiscard]] const Checker& checker(std::size_t place) const {
    return participants[place].checker;
  }
};

/// The user's name of a level in question, or else its friendly name.
[[nodiscard]] const std::string& name_of(std::span<const NamedModel> questions, Model question);

/// The same request about one history: with the details of its operations and, if the user names no
/// level, with the levels that check demands of it (set_demands()), or its claim. Borrows the
/// history.
[[nodiscard]] CompareRequest request_about(const CompareRequest& request, LoadedHistory& loaded);

/// All checkers: those built in, and those of the files, which replace checkers with the same name.
/// Error: of read_checkers().
[[nodiscard]] Result<std::vector<Checker>> known_checkers(const CompareFlags& flags);

/// A line a checker: its name, whether it is installed, what it reads and decides.
[[nodiscard]] std::string checker_list(const std::vector<Checker>& checkers,
                                       const CompareFlags& flags);

/// Looks up the levels and the checkers. Without --with: the engine elapid, and all installed
/// checkers that decide one of the levels; for claims all installed checkers, since each history
/// has its own levels. Error: kUsage for an unknown name, or a level that no
/// checker decides; kUnreadable for a named checker that is not installed; errors of
/// descriptions.
[[nodiscard]] Result<CompareRequest> compare_request(const CompareFlags& flags);

}  // namespace elapid
