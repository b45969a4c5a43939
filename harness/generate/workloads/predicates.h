// Rows of a table that are inserted, changed and deleted by what a search has found: where phantoms
// do harm.
//
// Rows have a group, `g`, a small number `v`, and `u`, which each write makes a new one, so that a
// read tells which write it saw. A transaction either only searches, or does one of these:
//
//   register   a name that nobody has in the group is taken: what is searched for is absent
//   allocate   the rows of a group are counted, and the next number is inserted
//   schedule   where at least two of a group are on call, one goes
//   sweep      rows of a group are deleted by their number
//   raise      rows of all groups are changed by their number
//
// The first three write if the search says so, all of it or nothing.
#ifndef ELAPID_HARNESS_GENERATE_WORKLOADS_PREDICATES_H_
#define ELAPID_HARNESS_GENERATE_WORKLOADS_PREDICATES_H_

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// `keys` is the number of groups, `reads` the share of transactions that only search.
[[nodiscard]] std::unique_ptr<RequestSource> predicate_requests(const WorkloadOptions& options);

}  // namespace elapid

#endif  // ELAPID_HARNESS_GENERATE_WORKLOADS_PREDICATES_H_
