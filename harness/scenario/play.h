// Plays a scenario on a database: each session in a thread of its own, a step at a time.
//
// A step that does not return, because its session waits for another one's locks, is passed over:
// the next step is that of a session which is free, and a session's own steps wait for it. That a
// session waits is said by the database; a step of which it does not say so is waited for. After
// each step all others that can return have returned, so that the same order on the same database
// comes to the same end.
//
// A transaction that the database has aborted is rolled back, and what is left of it passed over.
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

/// What became of a step.
struct StepFate {
  enum class Kind : std::uint8_t {
    kNotReached,  ///< its transaction had been aborted
    kDone,
    kFailed,
  };
  Kind kind = Kind::kNotReached;
  bool waited = false;
  std::size_t began = 0;     ///< place among all steps that began and all that returned, from 0
  std::size_t returned = 0;  ///< likewise
  std::vector<StepReply> answers =
      {};  ///< of the step's operations as far as they were carried out, or of its end
  /// Of the request that failed; none where all succeeded.
  [[nodiscard]] TxnError error() const;
};

struct Performance {
  StepOrder order = {};              ///< that was played
  std::vector<StepFate> steps = {};  ///< by Scenario::steps
  /// Reads of everything after all steps: of tables, or of each key.
  std::vector<StepReply> final_reads = {};
  std::size_t end = 0;  ///< behind all StepFate::began and returned
};

struct PlayOptions {
  /// A step of which the database does not say that it waits is waited for so long, and then passed
  /// over; one that waits when nothing else is left, until the database gives it up.
  std::chrono::milliseconds patience{5000};
  /// What the database itself must end (a step of which it says that it waits, a rollback) is
  /// waited for twice as long and so much longer; then the play ends with an error.
  std::chrono::milliseconds grace{5000};
  std::function<bool()> is_cancelled = {};  ///< may be empty
};

/// Opened for this scenario; `news`: see Driver::open_steps().
class Stage {
 public:
  /// Opens the database and makes its tables, and a session for each of the scenario's. Errors: of
  /// Driver::open_steps(), and kUsage for operations that the database has not.
  static Result<Stage> open(const Driver& driver, const DatabaseRequest& request,
                            const Scenario& scenario);
  Stage(Stage&&) noexcept;
  Stage& operator=(Stage&&) = delete;
  /// Ends what still waits. A session of which a call does not return in time is left alone with
  /// its thread, which ends with the program.
  ~Stage();

  [[nodiscard]] std::vector<DatabaseFact> facts();

  /// Plays one order, on tables as they are at the start. Errors: kUnreadable where the database
  /// fails otherwise than by aborting transactions, or does not answer in time; kUsage
  /// "interrupted". Nothing is to be played after an error.
  Result<Performance> play(const StepOrder& order, const PlayOptions& options);

 private:
  struct State;
  explicit Stage(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace elapid
