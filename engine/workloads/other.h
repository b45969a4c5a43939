// Histories of operations that no other workload recognises. They are read, and not checked.
#pragma once

#include "engine/workloads/table.h"

namespace elapid {

[[nodiscard]] constexpr WorkloadRow other_row() {
  return {.workload = Workload::kOther, .recognise = [](const Clues& clues) -> std::string_view {
            return clues.is_whole && (clues.has_other || !clues.calls.empty())
                       ? "no transaction reads, writes or appends, and there are other operations"
                       : "";
          }};
}

}  // namespace elapid
