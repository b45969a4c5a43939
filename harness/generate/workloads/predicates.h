// Transactions that insert, change and delete rows of a table depending on the result of a search.
// Phantoms harm them.
//
// A row has a group `g`, a small number `v`, and `u`, a unique value for each write, so
// that a read shows its write. A transaction either only searches, or has a form of
// row_forms.h: it searches and then does all its writes or none, depending on the result.
// Now and then a form searches for its own writes and undoes them, so that there is always
// work left.
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// `keys`: the number of groups. `reads`: the share of transactions that only search. `forms`: the
/// forms of the others.
[[nodiscard]] std::unique_ptr<RequestSource> predicate_requests(const WorkloadOptions& options);

}  // namespace elapid
