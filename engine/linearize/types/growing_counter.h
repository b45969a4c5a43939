// A counter that only grows: adds of different numbers, some of which never returned, and reads.
//
//   add 3 |---------|
//   add 5 ...                 never returns
//   read 5    |--|            the open add happened, and that of 3 has not
//   read 8            |--|
//
// A possibility is a sum, and which of the open adds it has. Adds need no order among themselves,
// so an add happens where it returns, or where a read asks for it: then some of the open adds and
// of those that never returned make up just what the read shows more. Since the sum never falls,
// the next read is always that of the least value that is open, and no sum may be above what later
// reads show.
//
// The adds that never returned are in classes of equal numbers, of which a possibility counts what
// it used. Many choices make up one sum. Passes of three kinds decide:
// 1. Few choices for each sum and open adds, of the greatest numbers first, since small ones fit in
//    everywhere. An order is an order. If no choice was left out, no order means none.
// 2. Any choice, whatever was used before, as long as all that was used is a sum of some of them.
//    Whatever is possible is possible here, so no order means none.
// 3. All choices, but those that use a number that an open add has, too: to use that add is as
//    good, since the one that never returned can take its place later.
//
// Source: Lowe, CCPE 29(4), 2017, section 3 (operations act where one returns); bounds as in the
// design linearizability.md, section 2, rule 5; the rest is this file's own. Cost: for each return,
// the possibilities times the subsets of the open adds at worst; memory 8 bytes a step.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"

namespace elapid::linearize {

/// Whether at most 64 operations are open at once, and the adds that never returned have at most
/// 256 different numbers. O(n log n).
[[nodiscard]] bool can_be_followed(const Operations& operations,
                                   const std::vector<std::int64_t>& numbers);

/// `numbers`: what each operation adds, at least 0, or shows; those of all adds come to less than
/// 2^62. Requires can_be_followed(). `work` is counted down; unknown where it is spent.
[[nodiscard]] Judgement judge_growing_counter(const Operations& operations,
                                              const std::vector<std::int64_t>& numbers,
                                              std::uint64_t& work);

}  // namespace elapid::linearize
