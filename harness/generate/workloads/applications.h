// Simplified transactions of applications, named after their benchmarks. presets.h has presets with
// the shapes of published histories of them.
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// Overwritten rows repeat `values` values, in the share `repeating` of writes. Each application
/// fixes its keys, lengths and share of reads.

/// An auction site: mostly reads of rows that are never written; blind writes of few hot items.
[[nodiscard]] std::unique_ptr<RequestSource> rubis_requests(const WorkloadOptions& options);

/// Tweets under fresh keys, and a row for each user that changes with each tweet. Timelines read
/// the rows of followed users and their latest tweets.
[[nodiscard]] std::unique_ptr<RequestSource> twitter_requests(const WorkloadOptions& options);

/// Orders and payments, which update rows of the same few warehouses and districts; long reads.
[[nodiscard]] std::unique_ptr<RequestSource> tpcc_requests(const WorkloadOptions& options);

/// Rarely more than one operation a transaction; every write updates one of few rows.
[[nodiscard]] std::unique_ptr<RequestSource> counters_requests(const WorkloadOptions& options);

}  // namespace elapid
