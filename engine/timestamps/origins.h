// The origins of wrong reads: where a value comes from that was read although another one was
// current. It may be older, newer, aborted, intermediate, or written by no transaction.
#pragma once

#include <span>

#include "engine/ir/history.h"
#include "engine/timestamps/maybe_writes.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Fills in `origin` and `other` of the violations of kExt. Where several transactions wrote the
/// value, the origin is the most harmless, in the order of ReadOrigin's enumerators, of the
/// transaction that committed last; in lists, of the first element that should not be there. Where
/// a list only lacks elements, `other` appended the last one that is there (none() if there is
/// none), and the next one as well where the origin is kIntermediate. O(operations) once, near
/// linear in the violations and the lists they read.
void find_origins(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes,
                  std::span<TimestampEvidence> violations);

}  // namespace elapid
