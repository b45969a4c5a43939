// Transactions that insert, change and delete rows of a table depending on the result of a search:
// the transactions that phantoms harm.
//
// A row has a group `g`, a small number `v`, and `u`, a value that each write makes anew, so that a
// read tells which write it saw. A transaction either only searches, or has one of the forms of
// row_forms.h: it searches, and then writes all that it wanted to or nothing, as the result lets
// it. Now and then a form takes back its own writes, by a search for them, so that there is always
// something left to do.
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// `keys` is the number of groups, `reads` the share of transactions that only search, `forms` what
/// the others do.
[[nodiscard]] std::unique_ptr<RequestSource> predicate_requests(const WorkloadOptions& options);

}  // namespace elapid
