// Jepsen's set-full, element by element and read by read: ../design/workloads.md, section 2.1.
//
//   add 1 ok, read [1], read []: false, `lost (1)`
#pragma once

#include <vector>

#include "tests/reference/plain_bank.h"
#include "tests/reference/plain_call.h"

namespace elapid {

/// `is_jepsen`: with Jepsen's answers, which know neither unexpected nor duplicated elements, and
/// for which a read of nil shows the empty set.
[[nodiscard]] PlainVerdict check_plain_set_full(const std::vector<PlainCall>& calls,
                                                bool is_linearizable, bool is_jepsen);

}  // namespace elapid
