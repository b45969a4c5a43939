// Linearizability of a register with distinct written values, by the zones of its values.
//
//   write 1 [0, 3], read 1 [5, 8]      the register holds 1 from 3 to 5 for sure: a forward zone
//   write 2 [4, 9]                     somewhere from 4 to 9: a backward zone, which begins within
//                                      the other and ends after it, so that 2 can follow 1
//
// The operations of a value, its write and its reads, are adjacent in every order: a block. So are
// those of values that cas operations derive from one another, in chain order. A block has a first
// return f and a last invocation s. If f < s, the value is there from f to s: a forward zone. Else
// it can be at any one instant from s to f: a backward zone. An order exists iff each block has one
// inside, no two forward zones overlap, and no backward zone lies within a forward one.
//
// Source: Gibbons and Korach, SIAM J. Comput. 26(4), 1997, theorem 4.9; zones after Golab, Li and
// Shah, PODC 2011. Why chains are blocks: what a cas saw is there until it takes effect, so nothing
// comes between. Why two zones at odds are the only reason: block A must precede B iff f(A) < s(B);
// of a cycle of blocks let A be the one with the greatest s; the block before each block of the
// cycle precedes A too, and A precedes its own next, so that these two are at odds already.
#pragma once

#include <optional>

#include "engine/linearize/register_judgement.h"

namespace elapid::linearize {

/// Nothing if some value is written twice, or equals the initial value, or if a failed cas is a
/// witness. O(n log n), about 50 bytes an operation.
[[nodiscard]] std::optional<RegisterJudgement> judge_by_zones(const Operations& operations,
                                                              ValueId initial);

}  // namespace elapid::linearize
