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

/// How a checker treats the order of transactions in a session.
enum class SessionOrder : std::uint8_t {
  kAsAsked,  ///< each of its levels has it or not, as the level's name says
  kAlways,   ///< every level it decides is the form with session order
  kNever,    ///< every level it decides is the form without
};

/// How a checker treats aborted and indeterminate transactions.
enum class Treatment : std::uint8_t {
  kHandled,    ///< understands them
  kDropped,    ///< leaves them out
  kCommitted,  ///< treats them as committed
};

/// The assumptions of a checker about every history.
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
  std::string word = {};  ///< the checker's name of the format: `{format}`
  std::string file = {};  ///< the name that the file, or directory, must have; empty: any
};

/// A level that a checker decides.
struct CheckerLevel {
  Model model = Model::kPl3;            ///< the level that it really decides: see decided_model()
  std::vector<std::string> words = {};  ///< values of `{level}`: one argument, or several
};

/// A pattern, searched for in each line.
struct OutputPattern {
  std::string text = {};
  std::shared_ptr<const re2::RE2> regex = {};
};

/// The meaning of an exit code.
enum class ExitMeaning : std::uint8_t { kValid, kInvalid, kUnknown, kByOutput };

/// How to read a verdict: first from the exit code, which may leave it to the output. If several
/// patterns match the output, invalid ones win over unknown ones, and these over valid ones. If
/// none matches, the checker failed.
struct VerdictRules {
  std::vector<OutputPattern> valid = {};
  std::vector<OutputPattern> invalid = {};
  std::vector<OutputPattern> unknown = {};
  std::map<int, ExitMeaning> exits = {};  ///< a code that is missing here is a failure
  std::vector<std::string> files = {};    ///< files to read after standard output and error
};

/// A known error of a checker.
struct Weakness {
  std::string about = {};
  ModelSet models = {};                     ///< the levels that it concerns; none: all
  std::optional<Validity> verdict = {};     ///< the wrong verdict; absent: either
  std::vector<std::string> anomalies = {};  ///< the anomalies that it misses; none: any
};

struct Checker {
  std::string name = {};
  std::string about = {};
  std::optional<Engine> engine = {};      ///< an engine of Elapid's own, asked in this process
  std::string program = {};               ///< name to look for on the PATH; may be empty
  std::string environment = {};           ///< the variable that may hold the program's path
  std::vector<std::string> command = {};  ///< with placeholders: see command.h
  std::vector<CheckerInput> inputs = {};  ///< preferred ones first
  std::map<std::string, std::string> workloads = {};  ///< its workload names; empty: Elapid's
  std::vector<CheckerLevel> levels = {};
  VerdictRules verdict = {};
  CheckerAssumptions assumptions = {};
  std::vector<Weakness> weaknesses = {};
  std::string folder = {};       ///< folder of the description, for `{here}`; empty if built in
  std::string fingerprint = {};  ///< hash of the description's text; recorded answers depend on it

  /// Whether the command needs to know where its program is.
  [[nodiscard]] bool needs_program() const { return !program.empty() || !environment.empty(); }
};

/// The built-in checkers: Elapid's engines, then others by name. Their descriptions are the files
/// of harness/compare/checkers.
[[nodiscard]] const std::vector<Checker>& builtin_checkers();

}  // namespace elapid
