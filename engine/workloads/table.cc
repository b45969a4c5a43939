#include "engine/workloads/table.h"

#include <algorithm>
#include <array>

#include "engine/workloads/add_remove_set/add_remove_set.h"
#include "engine/workloads/bank/bank.h"
#include "engine/workloads/cas_register/cas_register.h"
#include "engine/workloads/causal/causal.h"
#include "engine/workloads/causal_reverse/causal_reverse.h"
#include "engine/workloads/containers/containers.h"
#include "engine/workloads/counter/counter.h"
#include "engine/workloads/dirty_read/dirty_read.h"
#include "engine/workloads/dirty_reads/dirty_reads.h"
#include "engine/workloads/echo/echo.h"
#include "engine/workloads/fetch_and_add/fetch_and_add.h"
#include "engine/workloads/g2/g2.h"
#include "engine/workloads/grow_only_set/grow_only_set.h"
#include "engine/workloads/kafka/kafka.h"
#include "engine/workloads/kv/kv.h"
#include "engine/workloads/list_append/list_append.h"
#include "engine/workloads/long_fork/long_fork.h"
#include "engine/workloads/monotonic/monotonic.h"
#include "engine/workloads/multi_register/multi_register.h"
#include "engine/workloads/mutex/mutex.h"
#include "engine/workloads/other.h"
#include "engine/workloads/queue/queue.h"
#include "engine/workloads/rows.h"
#include "engine/workloads/rw_register/rw_register.h"
#include "engine/workloads/sequential/sequential.h"
#include "engine/workloads/set/set.h"
#include "engine/workloads/set_full/set_full.h"
#include "engine/workloads/unique_ids/unique_ids.h"

namespace elapid {

namespace {

const auto& table() {
  static const std::array kRows = {
      cas_register_row(),
      rows_row(),
      list_append_row(),
      rw_register_row(),
      monotonic_cockroach_row(),
      sequential_row(),
      set_full_row(),
      set_row(),
      grow_only_set_row(),
      add_remove_set_row(),
      counter_row(),
      fifo_queue_row(),
      unordered_queue_row(),
      stack_row(),
      priority_queue_row(),
      mutex_row(),
      unique_ids_row(),
      echo_row(),
      fetch_and_add_row(),
      kv_row(),
      long_fork_row(),
      causal_reverse_row(),
      comments_row(),
      g2_row(),
      causal_row(),
      dirty_read_row(),
      dirty_reads_row(),
      monotonic_faunadb_row(),
      monotonic_tidb_row(),
      multi_register_row(),
      bank_row(),
      kafka_row(),
      total_queue_row(),
      queue_row(),
      other_row(),
  };
  return kRows;
}

}  // namespace

std::span<const WorkloadRow> workload_rows() {
  return table();
}

const WorkloadRow& row_of(Workload workload) {
  return *std::ranges::find(table(), workload, &WorkloadRow::workload);
}

std::vector<std::string_view> checked_workloads() {
  std::vector<std::string_view> names;
  for (const WorkloadRow& row : table()) {
    if (row.is_checked()) {
      names.push_back(row.workload.name());
    }
  }
  std::ranges::sort(names);
  return names;
}

std::vector<std::string_view> workloads_with(std::span<const std::string> functions) {
  const auto knows = [](const WorkloadRow& row, std::string_view function) {
    GrowingVector<MopInput> mops;
    GrowingVector<ValueId> elements;
    ValuePool values;
    DecodedCall decoded{mops, elements, values};
    return row.decode(Call{.f = function, .value = "1"}, decoded).empty() &&
           std::ranges::none_of(mops,
                                [](const MopInput& mop) { return mop.kind == OpKind::kOther; });
  };
  std::vector<std::string_view> names;
  for (const WorkloadRow& row : table()) {
    if (row.is_checked() && row.decode != nullptr &&
        std::ranges::all_of(functions, [&](const std::string& f) { return knows(row, f); })) {
      names.push_back(row.workload.name());
    }
  }
  return names;
}

std::optional<Workload> find_workload(std::string_view name) {
  const auto named = [name](const WorkloadRow& row) { return row.workload.name() == name; };
  const auto* const row = std::ranges::find_if(table(), named);
  return row == table().end() ? std::nullopt : std::optional(row->workload);
}

}  // namespace elapid
