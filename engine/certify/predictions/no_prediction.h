// Proof that a level allows no prediction: an independent check of the answer of `elapid predict`.
//
//   claim     no execution that si allows is unserializable
//   shown by  orders 1 2 3 and 2 1 3: each execution that keeps a prefix of the sessions and that
//             si allows is explained by one of them
//
// The executions are described a second time, in clauses for CaDiCaL (possible_executions.h), with
// a clause for each order: the execution differs from all executions that the order explains. If
// the clauses have no solution, the claim holds. The clauses do not demand an acyclic order of
// events. If a solution has a cycle, a clause against it is added, and the search continues. So
// the reader trusts the encoding and CaDiCaL (Biere, Fazekas, Fleury, Heisinger, 2020), not the
// engine.
#pragma once

#include <functional>
#include <vector>

#include "engine/certify/flaw.h"
#include "engine/ir/history.h"
#include "engine/levels/models.h"
#include "engine/verdict/order_evidence.h"

namespace elapid::certify {

/// The claim: no execution of prefixes of the sessions satisfies `level` and violates `target`,
/// both with session order. See docs/predict.md, "What a prediction keeps".
struct NoPrediction {
  Visibility level = Visibility::kCausal;
  Visibility target = Visibility::kSerial;
  bool is_strict = false;  ///< the boundary; else relaxed
  /// Orders at the target. Each has all committed transactions, and the indeterminate ones that a
  /// committed one read from; two events each, start and commit, if the target distinguishes them.
  std::vector<std::vector<OrderEvent>> orders = {};
};

/// Why the orders do not show the claim; nothing if they do. Exponential at worst, as the search
/// for the orders was. Calls `keep_going` now and then; once it returns false, that is the reason.
[[nodiscard]] Flaw check_no_prediction(const History& history, const NoPrediction& claim,
                                       const std::function<bool()>& keep_going = {});

}  // namespace elapid::certify
