#include "engine/workloads/table.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/workloads/known_workloads.h"

namespace elapid {

namespace {

/// Another name of a workload: that of elle-cli and of the tests of CockroachDB.
constexpr std::pair<std::string_view, std::string_view> kAlias = {"comments", "causal-reverse"};

/// rows: transactions insert, update and delete rows of tables, and read by predicates.
///
///   {:type :ok, :f :init, :value {1 {:age 30}}}
///   {:type :ok, :f :txn, :value [[:rp [:in :age 13 19] {}] [:insert 7 {:age 15}]]}
///
/// docs/predicates.md defines the operations, engine/rows/parse.h their notation. Elle's
/// closed-predicate histories are of this kind. Only an order of events decides the levels
/// (engine/replay): nothing is inferred.
WorkloadRow rows_row() {
  return {.workload = Workload::kRows, .recognise = [](const Clues& clues) -> std::string_view {
            return clues.has_row ? "rows are inserted, deleted or read by a predicate" : "";
          }};
}

/// Histories with operations that no other workload recognises. They are read, but not checked.
WorkloadRow other_row() {
  return {.workload = Workload::kOther, .recognise = [](const Clues& clues) -> std::string_view {
            return clues.is_whole && (clues.has_other || !clues.calls.empty())
                       ? "no transaction reads, writes or appends, and there are other operations"
                       : "";
          }};
}

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
  std::vector<std::string_view> names = {kAlias.first};
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
  const std::string_view main = name == kAlias.first ? kAlias.second : name;
  const auto named = [main](const WorkloadRow& row) { return row.workload.name() == main; };
  const auto* const row = std::ranges::find_if(table(), named);
  return row == table().end() ? std::nullopt : std::optional(row->workload);
}

}  // namespace elapid
