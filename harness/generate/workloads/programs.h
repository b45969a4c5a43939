// The four programs of IsoPredict's evaluation (Geng et al., PLDI 2024, section 6), after their
// descriptions in OLTP-Bench: named transactions as reads and writes of rows. Each value is written
// once, so a history shows the writer of each read.
//
//   {:type :ok, :f :deposit-checking, :value [[:r 0 nil] [:r 1 4002] [:w 1 7002]], ...}
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

// Rows are few, so transactions conflict. Keys number rows in the order of their first use. Each
// order of TPC-C adds rows, so memory grows with orders. As in OLTP-Bench, the database is not told
// that a transaction only reads.

/// On `keys` accounts, at least two, drawn by `key_law`: `balance`, `deposit-checking`,
/// `transact-savings`, `amalgamate`, `write-check`, `send-payment`.
[[nodiscard]] std::unique_ptr<RequestSource> smallbank_requests(const WorkloadOptions& options);

/// `vote`, from one telephone with one vote: later calls only read.
[[nodiscard]] std::unique_ptr<RequestSource> voter_requests(const WorkloadOptions& options);

/// `new-order`, `payment`, `order-status`, `delivery`, `stock-level`, for one warehouse with two
/// districts. The number of an order comes from the read of its district.
[[nodiscard]] std::unique_ptr<RequestSource> tpc_c_requests(const WorkloadOptions& options);

/// On five pages, by three users: `get-page-anonymous`, `get-page-authenticated`, `update-page`,
/// `add-watch-list`, `remove-watch-list`.
[[nodiscard]] std::unique_ptr<RequestSource> wikipedia_requests(const WorkloadOptions& options);

}  // namespace elapid
