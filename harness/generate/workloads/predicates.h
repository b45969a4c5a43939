// Rows of a table that are inserted, changed and deleted by what a search has found: where phantoms
// do harm.
//
// Rows have a group, `g`, a small number `v`, and `u`, which each write makes a new one, so that a
// read tells which write it saw. A transaction either only searches, or has one of the forms of
// row_forms.h: it searches, and writes if what it found lets it, all that it wanted to or nothing.
// Now and then a form takes back what it did, by what a search would find, so that there is always
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
