// The origins of wrong reads: the source of a value that was read although another one was current.
// It may be older, newer, aborted, intermediate, or written by no transaction.
#pragma once

#include <span>

#include "engine/ir/history.h"
#include "engine/timestamps/maybe_writes.h"
#include "engine/timestamps/timeline.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// Sets `origin` and `other` of the kExt violations. If several transactions wrote the value, the
/// origin is the most harmless one, by the order of ReadOrigin's enumerators; among equal ones,
/// that of the transaction that committed last. For a list, the origin is that of the first wrong
/// element. If a list only lacks elements, `other` is the transaction that appended its last
/// element, or none() if the list is empty; if the origin is kIntermediate, `other` appended the
/// next element as well. O(operations) once, then near linear in the violations and the lists that
/// they read.
void find_origins(const History& history, const Timeline& timeline, const MaybeWrites& maybe_writes,
                  std::span<TimestampEvidence> violations);

}  // namespace elapid
