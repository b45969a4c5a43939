// Transactions of reads and writes of keys that are drawn: what list-append and rw-register tests
// run, and two special shapes of them.
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// `[:append k v]` and `[:r k [...]]`.
[[nodiscard]] std::unique_ptr<RequestSource> list_append_requests(const WorkloadOptions& options);

/// `[:w k v]` and `[:r k v]`.
[[nodiscard]] std::unique_ptr<RequestSource> rw_register_requests(const WorkloadOptions& options);

/// Transactions either only read or only write registers, and no key twice (BlindW of Cobra, OSDI
/// 2020). The share of reads is one of transactions.
[[nodiscard]] std::unique_ptr<RequestSource> blind_write_requests(const WorkloadOptions& options);

/// Mini-transactions (MTC, ICDE 2025): one or two registers, of which each is read, and written
/// only after that. The share of reads is one of transactions that write nothing.
[[nodiscard]] std::unique_ptr<RequestSource> mini_requests(const WorkloadOptions& options);

}  // namespace elapid
