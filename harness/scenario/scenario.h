// A scenario: what several sessions do on a database, step by step, in an order that is written
// down, and what is expected of it. docs/scenarios.md describes the files.
//
//   about  Each reads what the other one changes.
//   A: [:r :x]
//   B: [:r :y]
//   A: [:append :y 1]
//   B: [:append :x 2]
//   A: commit
//   B: commit
//   expect postgres snapshot-isolation: G2-item
//
// A step may do several operations, `A: [:r :x] [:append :y 1]`, and have a name, `A write:
// [:append :y 1]`, by which orders mention it.
//
// Operations are written as histories have them, without what they find. Read by
// scenario_reader.h, played by play.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "harness/drive/driver.h"
#include "harness/drive/step_driver.h"

namespace elapid {

/// What one session does once.
struct ScenarioStep {
  std::size_t session = 0;
  StepRequest::Kind kind = StepRequest::Kind::kOperation;
  std::size_t first_op = 0;  ///< kOperation: in Scenario::ops(), carried out one after another
  std::size_t op_count = 0;
  std::string name = {};  ///< by which orders mention it; may be empty
  std::string text = {};  ///< `[:r :x]`, `commit`
  std::uint64_t line = 0;
};

/// Rows with these keys are in a table of their own.
struct ScenarioTable {
  std::int64_t first_key = 0;
  std::int64_t last_key = 0;
};

/// Where something is expected.
struct ScenarioPlace {
  std::string database = {};  ///< name of a driver; empty: any
  /// Parameters of its address, or their defaults: `journal`, `wal`.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  std::string level = {};  ///< that sessions ask for; empty: any
};

/// Of the history: serializable, in each order.
struct ExpectNothing {};

/// This anomaly, in some order.
struct ExpectAnomaly {
  AnomalyType type;
};

/// The level holds in each order; or is violated in some.
struct ExpectLevel {
  Model model;
  bool holds = true;
};

/// Every transaction that is to commit does, in each order.
struct ExpectCommits {};

/// So many orders have a step that fails; or these, and no other ones.
struct ExpectFailures {
  std::optional<std::size_t> count = {};
  std::vector<std::size_t> orders = {};  ///< from 0, ascending; without a count
};

/// What becomes of a step.
struct ExpectStep {
  enum class Fate : std::uint8_t { kWaits, kFails, kSucceeds };
  std::size_t order = 0;  ///< from 0
  std::size_t step = 0;   ///< from 0
  Fate fate = Fate::kSucceeds;
  std::optional<TxnError> error = {};  ///< kFails: with this one
};

struct Expectation {
  using What = std::variant<ExpectNothing, ExpectAnomaly, ExpectLevel, ExpectCommits,
                            ExpectFailures, ExpectStep>;
  std::vector<ScenarioPlace> places = {};  ///< none: everywhere
  What what = ExpectNothing();
  std::string text = {};  ///< `not serializable`
  std::uint64_t line = 0;
};

/// Statements with which sessions begin on a database, or that follow when its tables are made.
struct ScenarioSetting {
  std::string database = {};                ///< name of a driver; empty: any
  std::optional<std::size_t> session = {};  ///< the only one that begins with it
  std::string sql = {};
};

struct Scenario {
  std::string name = {};  ///< of its file, without the extension
  std::string about = {};
  std::vector<std::string> sessions = {};
  std::vector<ScenarioStep> steps = {};            ///< in the order of the file
  std::size_t starts = 0;                          ///< so many of ops() are there before all steps
  std::vector<ScenarioTable> tables = {};          ///< of rows; never empty
  std::vector<std::string> indexes = {};           ///< names of columns, as `:age`
  std::vector<ScenarioSetting> preparations = {};  ///< once, when the tables are made
  std::vector<ScenarioSetting> settings = {};      ///< of sessions
  /// The orders to be played, of numbers of steps. A step may be missing, none is there twice.
  std::vector<std::vector<std::size_t>> orders = {};
  std::vector<Expectation> expectations = {};
  /// One transaction with what there is at the start and all operations of steps: they are those of
  /// histories, with keys, rows and predicates.
  History script;

  [[nodiscard]] std::span<const Op> ops() const { return script.all_ops(); }

  [[nodiscard]] std::span<const Op> ops_of(const ScenarioStep& step) const {
    return ops().subspan(step.first_op, step.op_count);
  }

  /// What people call this step: its name, or `step 3`.
  [[nodiscard]] std::string step_text(std::size_t step) const {
    return steps[step].name.empty() ? "step " + std::to_string(step + 1) : steps[step].name;
  }

  [[nodiscard]] bool has_rows() const { return script.info().rows != nullptr; }
};

}  // namespace elapid
