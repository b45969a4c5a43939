// Makes a history small that has some property: the anomaly stays, nearly everything else goes.
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
// How: at first only the transactions that the evidence names are kept, then those around them,
// until the property holds; this alone makes a hundred thousand transactions a handful. From there
// it is delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing
// Input", TSE 2002): sessions, keys, transactions, operations and elements are deleted, many at
// once, then fewer, until no single one can go. What others saw of a deleted write goes with it
// (deletion.h). Outcomes that are not known are settled, and names become small.
//
// The result is the same whatever the number of threads: candidates are tried ahead of time, and
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

/// Whether a candidate still has the property. Called from several threads at a time. An error
/// ends the minimization, and is its error.
using Keeps = std::function<Result<bool>(const History&)>;

/// How far it is.
struct MinimizeProgress {
  std::size_t txns = 0;  ///< of the smallest history so far
  std::size_t ops = 0;
  std::uint64_t tries = 0;
};

struct MinimizeOptions {
  std::size_t threads = 1;
  /// The transactions that the evidence names, in any order; none: nothing is known.
  std::vector<TxnId> named = {};
  /// The same of a candidate that is still large; may be empty. Called from the thread that called
  /// minimize().
  std::function<std::vector<TxnId>(const History&)> name_evidence = {};
  /// The property is known to hold of the whole history, which is not asked again.
  bool is_known_to_hold = false;
  /// Also give up what binds transactions, where the property does not need it: real time, and the
  /// order of sessions. Times are then left out.
  bool simplify = false;
  /// Put transactions of different sessions into one where the property allows it. The new session
  /// order was not observed.
  bool merge_sessions = false;
  /// Keys, values and sessions keep their names.
  bool keep_names = false;
  /// Candidates that may be tried; 0: any number. Deterministic.
  std::uint64_t max_tries = 0;
  /// 0: any time.
  std::chrono::milliseconds max_time = {};
  /// Called after each step, always from the thread that called minimize().
  std::function<void(const MinimizeProgress&)> progress = {};
  /// Asked often, from several threads; true ends the work with the smallest history so far.
  std::function<bool()> is_cancelled = {};
};

struct Minimized {
  History history;
  std::vector<TxnId> origins = {};  ///< by transaction: which it was in the whole history
  /// No single transaction, operation or element can be deleted without losing the property. This
  /// was tried of the history as it is here.
  bool is_one_minimal = false;
  std::string why_not = {};  ///< why that is not known: `cancelled`, or the limit reached
  std::uint64_t tries = 0;   ///< candidates tried, none twice
};

/// A small history that has the property, which `history` must have. Error: kUsage if it does not;
/// those of `keeps`; kInternal if the result, tried once more, has lost it.
[[nodiscard]] Result<Minimized> minimize(const History& history, const Keeps& keeps,
                                         const MinimizeOptions& options);

}  // namespace elapid
