// A scenario: the steps of several sessions on a database, in a given order, and the expected
// results. docs/scenarios.md describes the files.
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
// A step may have several operations, `A: [:r :x] [:append :y 1]`, and a name, by which orders
// refer to it: `A write: [:append :y 1]`.
//
// Operations are written as in histories, without results. scenario_reader.h reads scenarios,
// play.h plays them.
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

/// One step of one session.
struct ScenarioStep {
  std::size_t session = 0;
  StepRequest::Kind kind = StepRequest::Kind::kOperation;
  std::size_t first_op = 0;  ///< kOperation: the first, in Scenario::ops()
  std::size_t op_count = 0;
  std::string name = {};  ///< by which orders refer to it; may be empty
  std::string text = {};  ///< `[:r :x]`, `commit`
  std::uint64_t line = 0;
};

/// A table, by the range of its rows' keys.
struct ScenarioTable {
  std::int64_t first_key = 0;
  std::int64_t last_key = 0;
};

/// Where an expectation applies.
struct ScenarioPlace {
  std::string database = {};  ///< name of a driver; empty: any
  /// Parameters of its address, given or by default: `journal`, `wal`.
  std::vector<std::pair<std::string, std::string>> parameters = {};
  std::string level = {};  ///< the level that sessions ask for; empty: any
};

/// The history is serializable in each order.
struct ExpectNothing {};

/// The anomaly occurs in some order.
struct ExpectAnomaly {
  AnomalyType type;
};

/// The level holds in each order, or is violated in some order.
struct ExpectLevel {
  Model model;
  bool holds = true;
};

/// In each order, every transaction with a commit step commits.
struct ExpectCommits {};

/// A step fails in exactly `count` orders, or in exactly these orders.
struct ExpectFailures {
  std::optional<std::size_t> count = {};
  std::vector<std::size_t> orders = {};  ///< counted from 0, ascending; if there is no count
};

/// What becomes of a step.
struct ExpectStep {
  enum class Fate : std::uint8_t { kWaits, kFails, kSucceeds };
  std::size_t order = 0;  ///< from 0
  std::size_t step = 0;   ///< from 0
  Fate fate = Fate::kSucceeds;
  std::optional<TxnError> error = {};  ///< of kFails: the error, if it is given
};

struct Expectation {
  using What = std::variant<ExpectNothing, ExpectAnomaly, ExpectLevel, ExpectCommits,
                            ExpectFailures, ExpectStep>;
  std::vector<ScenarioPlace> places = {};  ///< none: everywhere
  What what = ExpectNothing();
  std::string text = {};  ///< `not serializable`
  std::uint64_t line = 0;
};

/// Statements that sessions begin with, or that run once when the tables are made.
struct ScenarioSetting {
  std::string database = {};                ///< name of a driver; empty: any
  std::optional<std::size_t> session = {};  ///< the only session that begins with it
  std::string sql = {};
};

struct Scenario {
  std::string name = {};  ///< of its file, without the extension
  std::string about = {};
  std::vector<std::string> sessions = {};
  std::vector<ScenarioStep> steps = {};    ///< in the order of the file
  std::size_t starts = 0;                  ///< number of ops() that are done before all steps
  std::vector<ScenarioTable> tables = {};  ///< tables of rows; never empty
  std::vector<std::string> indexes = {};   ///< columns with an index, as `:age`
  std::vector<ScenarioSetting> preparations = {};  ///< run once, when the tables are made
  std::vector<ScenarioSetting> settings = {};      ///< run as sessions begin
  /// The orders to play: numbers of steps, each at most once.
  std::vector<std::vector<std::size_t>> orders = {};
  std::vector<Expectation> expectations = {};
  /// A history of one transaction, with the operations before all steps and those of all steps. So
  /// they have the keys, rows and predicates of histories.
  History script;

  [[nodiscard]] std::span<const Op> ops() const { return script.all_ops(); }

  [[nodiscard]] std::span<const Op> ops_of(const ScenarioStep& step) const {
    return ops().subspan(step.first_op, step.op_count);
  }

  /// The step's name, or `step 3`.
  [[nodiscard]] std::string step_text(std::size_t step) const {
    return steps[step].name.empty() ? "step " + std::to_string(step + 1) : steps[step].name;
  }

  [[nodiscard]] bool has_rows() const { return script.info().rows != nullptr; }
};

}  // namespace elapid
