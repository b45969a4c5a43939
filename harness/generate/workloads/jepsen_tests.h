// The operations of Jepsen's tests that are not transactions of reads and writes, by their :f and
// :value. Each runs as a transaction of the store, so that the level's anomalies show: transfers
// that lose money, lost increments, elements dequeued twice.
#pragma once

#include <memory>

#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// `:transfer {:from 0, :to 1, :amount 5}` and `:read {0 10, 1 15}` of all accounts. The accounts
/// are the keys. An account never goes below 0. Each holds 10 at first.
[[nodiscard]] std::unique_ptr<RequestSource> bank_requests(const WorkloadOptions& options);

/// `:add 5` and `:read [1 2 5]`. Elements stay, so memory grows with them.
[[nodiscard]] std::unique_ptr<RequestSource> set_requests(const WorkloadOptions& options);

/// `:add 1` and `:read 17`, as reads and writes of a register that is 0 at first.
[[nodiscard]] std::unique_ptr<RequestSource> counter_requests(const WorkloadOptions& options);

/// `:write [[:w 3 1]]` and `:read [[:r 3 1] [:r 4 nil]]`. Keys come in pairs; each is written once;
/// the pair is read together, in any order.
[[nodiscard]] std::unique_ptr<RequestSource> long_fork_requests(const WorkloadOptions& options);

/// `:read 3`, `:write 4` and `:cas [3 4]`. Values are below `values`, or below 5. If there are
/// several keys, the values are tuples `[key value]`.
[[nodiscard]] std::unique_ptr<RequestSource> cas_register_requests(const WorkloadOptions& options);

/// `:acquire` and `:release` of a lock that any client may release.
[[nodiscard]] std::unique_ptr<RequestSource> mutex_requests(const WorkloadOptions& options);

/// `:push 7` and `:pop 7`. The share of reads is the share of pops.
[[nodiscard]] std::unique_ptr<RequestSource> stack_requests(const WorkloadOptions& options);

/// `:insert 7` and `:poll 7`, of the greatest of at most eight. Reads are polls.
[[nodiscard]] std::unique_ptr<RequestSource> priority_queue_requests(
    const WorkloadOptions& options);

/// `:add [3 true]`, `:remove [3 true]` and `:contains [3 false]`; the keys are elements.
[[nodiscard]] std::unique_ptr<RequestSource> add_remove_set_requests(
    const WorkloadOptions& options);

/// `:put [3 "7"]`, `:append [3 "1"]`, `:delete [3 nil]` and `:get [3 "71"]`, tuples with a key.
[[nodiscard]] std::unique_ptr<RequestSource> kv_requests(const WorkloadOptions& options);

/// `:fetch-and-add [2 7]`, with deltas from 1 to 5.
[[nodiscard]] std::unique_ptr<RequestSource> fetch_and_add_requests(const WorkloadOptions& options);

/// `:generate 7`
[[nodiscard]] std::unique_ptr<RequestSource> unique_ids_requests(const WorkloadOptions& options);

/// `:txn [[:read 1 4] [:write 2 5]]` on neighbouring keys.
[[nodiscard]] std::unique_ptr<RequestSource> multi_register_requests(
    const WorkloadOptions& options);

/// `:insert [7 [1 nil]]` and `:insert [7 [nil 2]]`: each first looks for the row of the other one.
[[nodiscard]] std::unique_ptr<RequestSource> g2_requests(const WorkloadOptions& options);

/// `:inc 0`, which returns `{0 4}`, and `:read {0 4, 1 7}`.
[[nodiscard]] std::unique_ptr<RequestSource> monotonic_requests(const WorkloadOptions& options);

/// `:write 5` to all rows, and `:read [5 5 5 5]`. Some writes are rolled back.
[[nodiscard]] std::unique_ptr<RequestSource> dirty_reads_requests(const WorkloadOptions& options);

/// `:write 5` and `:read [5 1 7]`. Elements stay, so memory grows with them.
[[nodiscard]] std::unique_ptr<RequestSource> written_set_requests(const WorkloadOptions& options);

/// `:write 7` to all subkeys, and `:read [7 [nil nil "7_2" "7_1" "7_0"]]`.
[[nodiscard]] std::unique_ptr<RequestSource> sequential_requests(const WorkloadOptions& options);

/// `:enqueue 7` and `:dequeue 7`. The share of reads is the share of dequeues.
[[nodiscard]] std::unique_ptr<RequestSource> queue_requests(const WorkloadOptions& options);

/// `:send [[:send 3 7]]`, which returns `[[:send 3 [0 7]]]`, and `:poll [[:poll {3 [[0 7]]}]]` of
/// the next message of a log. The keys are logs. Now and then a `:subscribe`. At the
/// end `:assign` and polls of all messages.
[[nodiscard]] std::unique_ptr<RequestSource> kafka_requests(const WorkloadOptions& options);

/// `:write 7` and `:read 7` of up to 1,000 elements, and at the end `:strong-read #{3 7}` twice.
[[nodiscard]] std::unique_ptr<RequestSource> dirty_read_requests(const WorkloadOptions& options);

}  // namespace elapid
