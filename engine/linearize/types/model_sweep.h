// The search that decides every type: all possible configurations, from event to event.
//
// A configuration is a state and the set of open operations that have taken effect. Operations take
// effect only when one has to return (just-in-time linearization).
//
//   enqueue 1 |------|                 at the return of enqueue 1 two configurations are left:
//   enqueue 2    |-------|             {1}, and {2, 1} with enqueue 2 done
//
// Source: Lowe, "Testing for linearizability", CCPE 29(4), 2017, section 3 (just-in-time). The
// design linearizability.md, section 2, gives rules 1 (reads at once), 4 (of operations of equal
// effect, the first to return goes first) and 5 (open operations of equal effect are
// interchangeable; a configuration that used fewer of them is better).
//
// Some configurations differ only in the used operations that never return. A first pass keeps one
// of these, and rarely lets such operations act when others can: a sum can be made up in many ways,
// and most of them serve as well. If the pass left configurations out and ends without an order, a
// second pass keeps all.
//
// Proof of rule 4: take two invoked operations of equal effect, and an order that has the later
// return first. Exchange their places: both still lie in their intervals. Proof of rule 5: a
// configuration that used fewer open operations can do all that the other one can.
//
// Cost: at worst exponential in the operations open at once; linear in all operations if few
// configurations survive. 8 bytes for each surviving step, for the order.
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The place for an invalid history: the operation at whose return no configuration is left. For an
/// unknown one: the operation at whose return the work was spent.
[[nodiscard]] Judgement sweep(const Operations& operations, const Model& model,
                              std::uint64_t work = kDefaultWork);

}  // namespace elapid::linearize
