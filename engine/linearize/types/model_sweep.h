// The search that decides every type: all configurations that are possible, from event to event.
//
// A configuration is a state and which of the open operations have taken effect. Operations take
// effect only where one has to return (just-in-time linearization).
//
//   enqueue 1 |------|                 at the return of enqueue 1 two configurations are left:
//   enqueue 2    |-------|             {1}, and {2, 1} with enqueue 2 done
//
// Source: Lowe, "Testing for linearizability", CCPE 29(4), 2017, section 3 (just-in-time), and of
// the design linearizability.md, section 2: rules 1 (reads at once), 4 (among operations of equal
// effect that which returns first) and 5 (open operations of equal effect are interchangeable, and
// a configuration that used fewer of them is the better one).
//
// A first pass keeps one of the configurations that differ only in which open operations they used
// that never return, and lets these act only where others hardly do: how they can make up a sum are
// many ways, and most of them do as well. If it ends without an order, and left some out, a second
// pass keeps all.
//
// Proof of rule 4: of two operations of equal effect, both invoked, exchange the places in an order
// where the one that returns later comes first; both still lie in their intervals. Of rule 5: a
// configuration that used fewer open operations can do all that the other can.
//
// Cost: exponential in the operations open at once at worst, linear in their number where few
// configurations survive. 8 bytes a step that survived, for the order.
#pragma once

#include <cstdint>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// Of an invalid history the place is that of the operation at whose return no configuration is
/// left; of an unknown one, that at whose return the work was spent.
[[nodiscard]] Judgement sweep(const Operations& operations, const Model& model,
                              std::uint64_t work = kDefaultWork);

}  // namespace elapid::linearize
