// Transactions of reads and writes on randomly drawn keys: those of list-append and rw-register
// tests, and two special forms.
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// `[:append k v]` and `[:r k [...]]`.
[[nodiscard]] std::unique_ptr<RequestSource> list_append_requests(const WorkloadOptions& options);

/// `[:w k v]` and `[:r k v]`.
[[nodiscard]] std::unique_ptr<RequestSource> rw_register_requests(const WorkloadOptions& options);

/// Each transaction only reads or only writes registers, and no key twice (BlindW of Cobra, OSDI
/// 2020). The share of reads is the share of reading transactions.
[[nodiscard]] std::unique_ptr<RequestSource> blind_write_requests(const WorkloadOptions& options);

/// Mini-transactions (MTC, ICDE 2025) on one or two registers. Each register is read, and then
/// perhaps written. The share of reads is the share of transactions without writes.
[[nodiscard]] std::unique_ptr<RequestSource> mini_requests(const WorkloadOptions& options);

}  // namespace elapid
