// The four programs that IsoPredict predicts on (Geng et al., PLDI 2024, section 6), after their
// descriptions in OLTP-Bench: transactions as reads and writes of rows, under their names. Each
// value is written once, so that a history tells from whom each read was.
//
//   {:type :ok, :f :deposit-checking, :value [[:r 0 nil] [:r 1 4002] [:w 1 7002]], ...}
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

// Rows are few, so that transactions meet. Keys number them in the order in which they are first
// asked for. Each order of TPC-C adds rows, so that memory grows with them. As in OLTP-Bench, the
// database is not told that a transaction only reads.

/// Of `keys` accounts, at least two, which `key_law` draws: `balance`, `deposit-checking`,
/// `transact-savings`, `amalgamate`, `write-check`, `send-payment`.
[[nodiscard]] std::unique_ptr<RequestSource> smallbank_requests(const WorkloadOptions& options);

/// `vote`, from one telephone, which has one vote: later calls only read.
[[nodiscard]] std::unique_ptr<RequestSource> voter_requests(const WorkloadOptions& options);

/// `new-order`, `payment`, `order-status`, `delivery`, `stock-level`, of one warehouse with two
/// districts. The district that was read tells the number of an order.
[[nodiscard]] std::unique_ptr<RequestSource> tpc_c_requests(const WorkloadOptions& options);

/// Of five pages and three users: `get-page-anonymous`, `get-page-authenticated`, `update-page`,
/// `add-watch-list`, `remove-watch-list`.
[[nodiscard]] std::unique_ptr<RequestSource> wikipedia_requests(const WorkloadOptions& options);

}  // namespace elapid
