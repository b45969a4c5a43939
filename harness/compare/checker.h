// A checker of histories, by its description: its command, its formats, the levels that it decides,
// how it prints a verdict, its assumptions, and its known errors.
//
// Descriptions are JSON (docs/checkers.schema.json, docs/harness.md); checker_reader.h reads them.
// Nothing in the code knows a checker by its name. The smallest one:
//
//   {
//     "name": "mine",
//     "program": "mine",
//     "command": ["{program}", "--level", "{level}", "{input}"],
//     "formats": ["edn"],
//     "levels": {"serializable": "SER"},
//     "verdict": {"valid": ["^ok$"], "invalid": ["^not ok"]}
//   }
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/workload.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"
#include "parsers/convert/target.h"

namespace re2 {
class RE2;
}

namespace elapid {

/// What a checker does with the order of the transactions of a session.
enum class SessionOrder : std::uint8_t {
  kAsAsked,  ///< each of its levels has it or not, as the level's name says
  kAlways,   ///< every level it decides is the form with session order
  kNever,    ///< every level it decides is the form without
};

/// What a checker does with transactions that did not commit, or may not have.
enum class Treatment : std::uint8_t {
  kHandled,    ///< knows what they mean
  kDropped,    ///< leaves them out
  kCommitted,  ///< takes them for committed ones
};

/// What a checker takes for granted of every history.
struct CheckerAssumptions {
  SessionOrder session_order = SessionOrder::kAsAsked;
  bool initial_state_first = true;  ///< false: the initial state has no place before all others
  bool unique_values = false;       ///< no value is written to a key twice
  bool believes_timestamps = false;
  Treatment aborted = Treatment::kHandled;
  Treatment indeterminate = Treatment::kHandled;
};

/// A format that a checker reads.
struct CheckerInput {
  const Target* target = nullptr;
  std::string word = {};  ///< what the checker calls it: `{format}`
  std::string file = {};  ///< the name that the file, or directory, must have; empty: any
};

/// A level that a checker decides.
struct CheckerLevel {
  Model model = Model::kPl3;            ///< what it really decides: see decided_model()
  std::vector<std::string> words = {};  ///< what `{level}` stands for: one argument, or several
};

/// A pattern that is looked for line by line.
struct OutputPattern {
  std::string text = {};
  std::shared_ptr<const re2::RE2> regex = {};
};

/// What an exit code says.
enum class ExitMeaning : std::uint8_t { kValid, kInvalid, kUnknown, kByOutput };

/// How a verdict is read: first the exit code, which may leave it to the output. Of patterns that
/// are found in it invalid ones count before unknown ones, and these before valid ones. What fits
/// none is no verdict but a failure.
struct VerdictRules {
  std::vector<OutputPattern> valid = {};
  std::vector<OutputPattern> invalid = {};
  std::vector<OutputPattern> unknown = {};
  std::map<int, ExitMeaning> exits = {};  ///< a code that is not there is a failure
  std::vector<std::string> files = {};    ///< that are read behind standard output and error
};

/// Where a checker is known to be wrong.
struct Weakness {
  std::string about = {};
  ModelSet models = {};                     ///< at which levels; none: at all
  std::optional<Validity> verdict = {};     ///< what it then says wrongly; absent: either
  std::vector<std::string> anomalies = {};  ///< where these are what it misses; none: any
};

struct Checker {
  std::string name = {};
  std::string about = {};
  std::optional<Engine> engine = {};      ///< an engine of Elapid's own, asked in this process
  std::string program = {};               ///< is looked for by this name on the PATH; may be empty
  std::string environment = {};           ///< the variable that may say where it is
  std::vector<std::string> command = {};  ///< with placeholders: see command.h
  std::vector<CheckerInput> inputs = {};  ///< preferred ones first
  std::map<std::string, std::string> workloads = {};  ///< what it calls them; empty: as Elapid does
  std::vector<CheckerLevel> levels = {};
  VerdictRules verdict = {};
  CheckerAssumptions assumptions = {};
  std::vector<Weakness> weaknesses = {};
  std::string folder = {};       ///< of the description's file, for `{here}`; empty if built in
  std::string fingerprint = {};  ///< of the description's text: answers recorded depend on it

  /// Whether the command needs to know where its program is.
  [[nodiscard]] bool needs_program() const { return !program.empty() || !environment.empty(); }
};

/// The checkers that are built in, Elapid's engines first, then others by their names. Their
/// descriptions are the files of harness/compare/checkers.
[[nodiscard]] const std::vector<Checker>& builtin_checkers();

}  // namespace elapid
