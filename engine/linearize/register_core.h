// The core of a refutation by a sweep: a few operations that have no order, whatever came before
// them and whatever else took effect.
//
//   write 5 [0, 1] ... write 4 [90, 93] read 5 [95, 97]    core: the write of 4 and the read of 5,
//                                                          since nothing open at 90 or invoked
//                                                          since leaves 5
//
// A core is found by relaxing, which only allows more orders. The register may hold any content at
// first; an operation that is not in the core may take effect at any time while it is open, any
// number of times, or not at all, if it was open when the first of the core was invoked or later;
// reads outside the core are dropped. If there is no order all the same, the other operations play
// no part. Where that does not suffice and the history is short, the register holds its initial
// value at first, and all operations may take effect. Verified by a plain search over sets of
// operations, which shares no code with the sweep.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/register_judgement.h"

namespace elapid::linearize {

struct RegisterCore {
  std::vector<std::uint32_t> places = {};  ///< in the order of their invocations
  bool is_from_beginning = false;          ///< the register holds its initial value at first
};

/// Of a judgement by a sweep (RegisterFlaw::kNoOrder). Empty if none of at most 12 operations is
/// found among the 256 before the one at which the sweep ended, or if more than 64 contents are
/// possible. O(operations), and 256 sweeps over 256 operations at most.
[[nodiscard]] RegisterCore core_of(const Operations& operations, const RegisterJudgement& judgement,
                                   ValueId initial);

}  // namespace elapid::linearize
