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
// it used. Many choices make up one sum. Passes of four kinds decide:
// 1. Of each sum few choices that used little of each number, so that all numbers last. An order is
//    an order. If no choice was left out, no order means none.
// 2. Adds that never returned as one amount, of which any part can be used. Of two possibilities of
//    one sum the one is enough to each of whose adds that are still to do belongs one of the other,
//    of no smaller number, that returns no later: it can follow the other step by step, with its
//    own add in place of that one, and with some of the amount for what is missing. Whatever is
//    possible is possible here, so no order means none.
// 3. The same with amounts that are sums of some of the adds alone, and without that rule.
// 4. All choices, but those that use a number that an open add has, too: to use that add is as
//    good, since the one that never returned can take its place later. Before that, few for each
//    sum and open adds.
//
// Source: Lowe, CCPE 29(4), 2017, section 3 (operations act where one returns); bounds as in the
// design linearizability.md, section 2, rule 5; the rest is this file's own. Cost: for each return,
// the possibilities times the subsets of the open adds at worst; memory 8 bytes a step, at most 128
// MB and 128 bytes an operation.
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
/// 2^62. Requires can_be_followed(). `work` is counted down; unknown where it, or the room for
/// steps, is spent, with the operation up to which there is an order.
[[nodiscard]] Judgement judge_growing_counter(const Operations& operations,
                                              const std::vector<std::int64_t>& numbers,
                                              std::uint64_t& work);

}  // namespace elapid::linearize
