// rows: transactions insert, update and delete rows of tables, and read by predicates.
//
//   {:type :ok, :f :init, :value {1 {:age 30}}}
//   {:type :ok, :f :txn, :value [[:rp [:in :age 13 19] {}] [:insert 7 {:age 15}]]}
//
// What operations mean is in docs/predicates.md, their notation in engine/rows/parse.h. Elle's
// closed-predicate histories are of this kind. Which levels hold is found by an order of events
// alone (engine/replay): nothing is inferred.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] constexpr WorkloadRow rows_row() {
  return {.workload = Workload::kRows, .recognise = [](const Clues& clues) -> std::string_view {
            return clues.has_row ? "rows are inserted, deleted or read by a predicate" : "";
          }};
}

}  // namespace elapid
