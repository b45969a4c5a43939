// A store that follows a prediction. It shows whether a client that runs again does what was
// predicted.
//
//   predicted: session 2, transaction 1 reads x from session 0
//   client:    get x -> 100 (written by session 0)   put x 10   commit
//   answer:    the history of this run is not serializable either: validated
//
// Transactions run one at a time, in an order that contains the predicted happens-before. Each read
// shows the value of its predicted writer in this run, if the level allows that; else the run has
// diverged, and the read shows the newest write that the level allows. As in MonkeyDB (Biswas,
// Kakwani, Vafeiadis, Enea, Lal, OOPSLA 2021) and the validation of IsoPredict (PLDI 2024, section
// 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/predict/observation.h"
#include "engine/predict/prediction.h"

namespace elapid {

/// The operations that the client of a transaction can call. Keys are names without a colon or
/// quotes; values are JSON as the client wrote it.
class ReplayTxn {
 public:
  ReplayTxn() = default;
  ReplayTxn(const ReplayTxn&) = delete;
  ReplayTxn& operator=(const ReplayTxn&) = delete;
  virtual ~ReplayTxn() = default;

  /// The value of the key: that of the initial state if nothing was written, often `null`. Error:
  /// the level allows no value.
  virtual Result<std::string> get(const std::string& key) = 0;
  virtual void put(const std::string& key, std::string value) = 0;
};

/// The application that runs again.
class ReplayClient {
 public:
  ReplayClient() = default;
  ReplayClient(const ReplayClient&) = delete;
  ReplayClient& operator=(const ReplayClient&) = delete;
  virtual ~ReplayClient() = default;

  /// Runs transaction `number`, from 1, of the session; true to commit it. Error: it cannot go
  /// on.
  virtual Result<bool> run(const std::string& session, std::size_t number, ReplayTxn& txn) = 0;
};

struct Replayed {
  bool is_validated = false;                  ///< the run violates the target, diverged or not
  std::vector<std::string> divergences = {};  ///< a sentence each
};

/// A run with random reads, each of a value that the level allows.
struct RandomRun {
  History history;
  bool satisfies_target = true;
};

/// The transaction's number in its session, from 1.
[[nodiscard]] std::size_t number_in_session(const History& history, TxnId txn);

/// The name of a key: `x` for `:x` and for `"x"`.
[[nodiscard]] std::string key_name(const History& history, KeyId key);

/// Runs the transactions of the prediction, with a check at the level for each read. Errors: those
/// of the client; a check without an answer; two keys with one name; lists.
[[nodiscard]] Result<Replayed> replay_prediction(const History& observed,
                                                 const predict::Observation& observation,
                                                 const predict::Prediction& prediction, Model level,
                                                 Model target, ReplayClient& client);

/// Runs all observed transactions, with the sessions interleaved at random. Each read sees a random
/// write that the level allows. Equal seeds give equal runs. Transactions that the level forbids to
/// commit are left out. Values of the history are the places of their writers, from 1. Errors: as
/// above.
[[nodiscard]] Result<RandomRun> run_at_random(const History& observed,
                                              const predict::Observation& observation, Model level,
                                              Model target, std::uint64_t seed,
                                              ReplayClient& client);

}  // namespace elapid
