// How single operations are written again: as their source has them.
//
//   {:process 0, :type :ok, :f :read, :value {0 10, 1 12}}
//                                            ^ a map: the source has it, the history does not
#pragma once

#include "engine/ir/history.h"
#include "engine/workloads/table.h"
#include "parsers/convert/plan.h"
#include "parsers/format.h"
#include "parsers/read.h"

namespace elapid {

/// Empty of a history of transactions, and where the source cannot be asked. Borrows the history.
[[nodiscard]] inline EventDetailsFn source_details(LoadedHistory& loaded) {
  if (loaded.history().workload().has_transactions() ||
      loaded.format().format->read_details == nullptr) {
    return {};
  }
  return [&loaded](SourcePosition position) { return loaded.details(position); };
}

/// The same, but empty where the history itself says all: of objects, and of what has levels.
[[nodiscard]] inline EventDetailsFn details_without_levels(LoadedHistory& loaded) {
  const Workload workload = loaded.history().workload();
  const bool says_all = workload.has_levels() || row_of(workload).models.any();
  return says_all ? EventDetailsFn() : source_details(loaded);
}

}  // namespace elapid
