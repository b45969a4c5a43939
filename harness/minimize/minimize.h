// Makes a history with some property small: the anomaly stays, nearly everything else goes.
//
// ```cpp
// const History large = register_history("wx1; rx1 wx2; rx1 wx3; wy1; ry1");
// const Keeps loses_an_update = [](const History& history) -> Result<bool> {
//   const Result<Verdict> verdict = check(history, {.models = {Model::kPlSi}});
//   if (!verdict) {
//     return verdict.error();
//   }
//   return types_of(verdict.value().anomalies).test(AnomalyType::kLostUpdate);
// };
// const Result<Minimized> small = minimize(large, loses_an_update, {});
// CHECK(small.value().history.txn_count() == 2);  // rx_ wx1; rx_ wx2
// CHECK(small.value().is_one_minimal);
// ```
//
// keeps.h offers such properties ready-made.
//
// How: it first keeps only the transactions that the evidence names, then also those around them,
// until the property holds. That alone reduces a hundred thousand transactions to a handful. Then
// delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", TSE
// 2002) deletes sessions, keys, transactions, operations and elements: many at once, then fewer,
// until no single one can go. The reads of a deleted write change with it (deletion.h). Unknown
// outcomes are decided, and names become small.
//
// The result does not depend on the number of threads: threads try candidates ahead of time, and
// the first in order that keeps the property is taken. (A limit of time is the exception.)
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

/// Whether a candidate still has the property. Several threads may call it at once. Its error ends
/// the minimization, which returns this error.
using Keeps = std::function<Result<bool>(const History&)>;

/// The progress of a minimization.
struct MinimizeProgress {
  std::size_t txns = 0;  ///< transactions of the smallest history so far
  std::size_t ops = 0;
  std::uint64_t tries = 0;
};

struct MinimizeOptions {
  std::size_t threads = 1;
  /// The transactions that the evidence names, in any order; none: not known.
  std::vector<TxnId> named = {};
  /// The transactions that the evidence of a still large candidate names; may be empty. Called only
  /// by the thread that called minimize().
  std::function<std::vector<TxnId>(const History&)> name_evidence = {};
  /// Whether the property is known to hold for the whole history, which is then not tested.
  bool is_known_to_hold = false;
  /// Also drop real time and session order, if the property does not need them. The result then has
  /// no times.
  bool simplify = false;
  /// Put transactions of different sessions into one, if the property allows it. The new session
  /// order was not observed.
  bool merge_sessions = false;
  /// Keys, values and sessions keep their names.
  bool keep_names = false;
  /// The most candidates to try; 0: no limit. Deterministic.
  std::uint64_t max_tries = 0;
  /// The most time to take; 0: no limit.
  std::chrono::milliseconds max_time = {};
  /// Called after each step, always by the thread that called minimize().
  std::function<void(const MinimizeProgress&)> progress = {};
  /// Called often, by several threads; true ends the work with the smallest history so far.
  std::function<bool()> is_cancelled = {};
};

struct Minimized {
  History history;
  std::vector<TxnId> origins = {};  ///< by transaction: its id in the whole history
  /// Whether no single transaction, operation or element can be deleted without losing the
  /// property. Tested on the history as it is here.
  bool is_one_minimal = false;
  std::string why_not = {};  ///< why is_one_minimal is false: `cancelled`, or the limit reached
  std::uint64_t tries = 0;   ///< candidates tried, each once
};

/// Returns a small history with the property, which `history` must have. Errors: kUsage if it has
/// not; those of `keeps`; kInternal if the result, tested once more, does not have it.
[[nodiscard]] Result<Minimized> minimize(const History& history, const Keeps& keeps,
                                         const MinimizeOptions& options);

}  // namespace elapid
