// A counter that only grows: adds of any numbers, some without a return, and reads.
//
//   add 3 |---------|
//   add 5 ...                 never returns
//   read 5    |--|            the open add happened, the add of 3 did not
//   read 8            |--|
//
// A possibility is a sum, and the set of open adds in it. Adds need no order among themselves, so
// an add happens when it returns, or when a read needs it: then some of the open adds, and of the
// adds without a return, make up exactly the difference that the read shows. The sum never falls,
// so the next read is always the open read of the least value, and no sum may exceed the values of
// later reads.
//
// The adds without a return are in classes of equal numbers; a possibility counts how many of each
// it used. Many choices give one sum. Four kinds of passes decide:
// 1. For each sum, one choice that used little of each number, so that all numbers last; more of
//    them behind dead ends (retreat.h). An order that is found is one. If no choice was left out,
//    finding none proves that there is none.
// 2. Adds without a return as one amount, of which any part can be used. Of two possibilities of
//    a sum, the first one suffices if each of its remaining adds belongs to one of the second, of
//    no smaller number, that returns no later. The first can then follow the second step by step,
//    with its own add in place of that one, and with some of the amount for the difference. All
//    that is really possible is possible here, so finding no order proves that there is none.
// 3. The same, with only amounts that are sums of some of the adds, and without that rule.
// 4. All choices, except those with a number that an open add has, too: the open add is as good,
//    since the one without a return can take its place later. Before that pass, one with few
//    choices for each sum and set of open adds.
//
// Source: Lowe, CCPE 29(4), 2017, section 3 (operations act where one returns); bounds as in the
// design linearizability.md, section 2, rule 5; the rest is this file's own. Cost: for each return,
// the possibilities times the subsets of the open adds at worst; memory 8 bytes a step, at most 128
// MB and 128 bytes an operation.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/events.h"
#include "engine/linearize/types/judgement.h"

namespace elapid::linearize {

/// Whether at most 64 operations are open at once, and the adds that never returned have at most
/// 256 different numbers. O(n log n). `events`: events_of() the operations, here and below.
[[nodiscard]] bool can_be_followed(const Operations& operations,
                                   const std::vector<OperationEvent>& events,
                                   const std::vector<std::int64_t>& numbers);

/// `numbers`: what each operation adds, at least 0, or shows; those of all adds come to less than
/// 2^62. Requires can_be_followed(). `work` is counted down; unknown where it, or the room for
/// steps, is spent, with the operation up to which there is an order.
[[nodiscard]] Judgement judge_growing_counter(const Operations& operations,
                                              const std::vector<OperationEvent>& events,
                                              const std::vector<std::int64_t>& numbers,
                                              std::uint64_t& work);

}  // namespace elapid::linearize
