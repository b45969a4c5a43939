// Plays a scenario on a database: each session in a thread of its own, one step at a time.
//
// If a step does not return, because its session waits for another one's locks, the next
// step of a free session is taken, and the session's other steps wait. The database says
// whether a session waits; a step without this sign is waited for. After each step, all
// other steps that can return have returned. So the same order on the same database has the
// same result.
//
// An aborted transaction is rolled back, and its other steps are skipped.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "engine/ir/result.h"
#include "harness/drive/driver.h"
#include "harness/drive/step_driver.h"
#include "harness/scenario/orders.h"
#include "harness/scenario/scenario.h"

namespace elapid {

/// The outcome of a step.
struct StepFate {
  enum class Kind : std::uint8_t {
    kNotReached,  ///< its transaction was aborted before it
    kDone,
    kFailed,
  };
  Kind kind = Kind::kNotReached;
  bool waited = false;
  std::size_t began = 0;     ///< place among all begins and returns of steps, from 0
  std::size_t returned = 0;  ///< place of the return, likewise
  std::vector<StepReply> answers =
      {};  ///< of the operations that were carried out, or of the transaction's end
  /// The error of the request that failed; none if all succeeded.
  [[nodiscard]] TxnError error() const;
};

struct Performance {
  StepOrder order = {};              ///< the order that was played
  std::vector<StepFate> steps = {};  ///< by Scenario::steps
  /// Final reads of everything, after all steps: of tables, or of each key.
  std::vector<StepReply> final_reads = {};
  std::size_t end = 0;  ///< a place after all begins and returns
};

struct PlayOptions {
  /// If the database does not say that a step waits: how long to wait before skipping it. If
  /// nothing else is left, a waiting step is waited for until the database gives it up.
  std::chrono::milliseconds patience{5000};
  /// If the database must end a step itself (a step that it says waits, or a rollback): wait twice
  /// `patience` plus this time. Then the play ends with an error.
  std::chrono::milliseconds grace{5000};
  std::function<bool()> is_cancelled = {};  ///< may be empty
};

/// A database opened for this scenario; `news`: see Driver::open_steps().
class Stage {
 public:
  /// Opens the database, makes its tables, and opens a session for each session of the scenario.
  /// Errors: those of Driver::open_steps(); kUsage for operations that the database does not have.
  static Result<Stage> open(const Driver& driver, const DatabaseRequest& request,
                            const Scenario& scenario);
  Stage(Stage&&) noexcept;
  Stage& operator=(Stage&&) = delete;
  /// Ends all waits. A session with a call that does not return in time is abandoned with its
  /// thread, which ends with the program.
  ~Stage();

  [[nodiscard]] std::vector<DatabaseFact> facts();

  /// Plays one order, on tables in their initial state. Errors: kUnreadable if the database fails
  /// in other ways than by aborts, or does not answer in time; kUsage "interrupted". After an
  /// error, play nothing more.
  Result<Performance> play(const StepOrder& order, const PlayOptions& options);

 private:
  struct State;
  explicit Stage(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace elapid
