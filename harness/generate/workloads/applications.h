// Transactions of applications, simplified from the benchmarks they are named after: presets
// (presets.h) have the shape of published histories of them.
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// Rows that are overwritten repeat `values` values, the share `repeating` of times. Keys, lengths
/// and the share of reads are the application's own.

/// An auction site: mostly reads of rows that are never written, and blind writes of few hot items.
[[nodiscard]] std::unique_ptr<RequestSource> rubis_requests(const WorkloadOptions& options);

/// Tweets under fresh keys and a row a user, which changes with each; timelines read those of users
/// followed and their latest tweets.
[[nodiscard]] std::unique_ptr<RequestSource> twitter_requests(const WorkloadOptions& options);

/// Orders and payments, which update rows of the same few warehouses and districts, and long reads.
[[nodiscard]] std::unique_ptr<RequestSource> tpcc_requests(const WorkloadOptions& options);

/// Hardly more than one operation a transaction: every write an update of one of few rows.
[[nodiscard]] std::unique_ptr<RequestSource> counters_requests(const WorkloadOptions& options);

}  // namespace elapid
