// All workloads, a row each. The source of each row opens with a description of the workload.
#pragma once

#include "engine/workloads/object_claims.h"
#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] WorkloadRow add_remove_set_row();
[[nodiscard]] WorkloadRow bank_row();
[[nodiscard]] WorkloadRow cas_register_row();
[[nodiscard]] WorkloadRow causal_reverse_row();
[[nodiscard]] WorkloadRow causal_row();
[[nodiscard]] WorkloadRow counter_row();
[[nodiscard]] WorkloadRow dirty_read_row();
[[nodiscard]] WorkloadRow dirty_reads_row();
[[nodiscard]] WorkloadRow echo_row();
[[nodiscard]] WorkloadRow fetch_and_add_row();
[[nodiscard]] WorkloadRow fifo_queue_row();
[[nodiscard]] WorkloadRow g2_row();
[[nodiscard]] WorkloadRow grow_only_set_row();
[[nodiscard]] WorkloadRow kafka_row();
[[nodiscard]] WorkloadRow kv_row();
[[nodiscard]] WorkloadRow list_append_row();
[[nodiscard]] WorkloadRow long_fork_row();
[[nodiscard]] WorkloadRow monotonic_cockroach_row();
[[nodiscard]] WorkloadRow monotonic_faunadb_row();
[[nodiscard]] WorkloadRow monotonic_tidb_row();
[[nodiscard]] WorkloadRow multi_register_row();
[[nodiscard]] Result<RegisterTransactions> transactions_of_multi_register(const History& history,
                                                                          bool in_real_time);
[[nodiscard]] WorkloadRow mutex_row();
[[nodiscard]] WorkloadRow priority_queue_row();
[[nodiscard]] WorkloadRow queue_row();
[[nodiscard]] WorkloadRow rw_register_row();
[[nodiscard]] WorkloadRow sequential_row();
[[nodiscard]] WorkloadRow set_full_row();
[[nodiscard]] WorkloadRow set_row();
[[nodiscard]] WorkloadRow stack_row();
[[nodiscard]] WorkloadRow total_queue_row();
[[nodiscard]] WorkloadRow unique_ids_row();
[[nodiscard]] WorkloadRow unordered_queue_row();

}  // namespace elapid
