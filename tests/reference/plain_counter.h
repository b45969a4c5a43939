// Jepsen's counter and Maelstrom's, read by read: ../design/workloads.md, sections 2 and 7.
//
//   add 1 invoked, read 2: false, `errors ((0 2 1))`
#pragma once

#include <vector>

#include "tests/reference/plain_bank.h"
#include "tests/reference/plain_call.h"

namespace elapid {

/// `is_jepsen`: bounds whatever reads are final; requires that no number is negative.
[[nodiscard]] PlainVerdict check_plain_counter(const std::vector<PlainCall>& calls, bool is_jepsen);

}  // namespace elapid
