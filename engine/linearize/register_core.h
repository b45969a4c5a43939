// The core of a refutation by a sweep: a few operations that have no order, whatever came before
// them and whatever else took effect.
//
//   write 5 [0, 1] ... write 4 [90, 93] read 5 [95, 97]    core: the write of 4 and the read of 5,
//                                                          since nothing open at 90 or invoked
//                                                          since leaves 5
//
// A core is found by relaxations, which only allow more orders. The register may hold any content
// at first. An operation outside the core may take effect at any time while it is open, any number
// of times, or not at all, if it was open at the core's first invocation or invoked later. Reads
// outside the core are dropped. If there is still no order, the other operations do not matter. If
// that does not suffice and the history is short, the register starts with its initial value, and
// all operations may take effect. A plain search over sets of operations, which shares no code with
// the sweep, verifies cores.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/register_judgement.h"

namespace elapid::linearize {

struct RegisterCore {
  std::vector<std::uint32_t> places = {};  ///< sorted by invocation
  bool is_from_beginning = false;          ///< the register starts with its initial value
};

/// The core of a judgement by a sweep (RegisterFlaw::kNoOrder). Empty if no core of at most 12
/// operations is among the 256 before the end of the sweep, or if more than 64 contents are
/// possible. O(operations), and at most 256 sweeps over 256 operations.
[[nodiscard]] RegisterCore core_of(const Operations& operations, const RegisterJudgement& judgement,
                                   ValueId initial);

}  // namespace elapid::linearize
