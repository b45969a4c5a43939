// The table of the workloads that can be generated.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "engine/ir/workload.h"
#include "harness/generate/request.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

struct GeneratedWorkload {
  std::string_view name;
  std::string_view about;
  /// Null: a simulated object (objects/object_types.h) makes its histories, not a database.
  std::unique_ptr<RequestSource> (*requests)(const WorkloadOptions& options);
  Workload workload;      ///< the workload as which its histories are read
  std::size_t keys = 10;  ///< the default number of keys in use
  // The WorkloadOptions that it uses.
  bool heeds_keys = true;
  bool heeds_lengths = false;
  bool heeds_reads = true;
  bool heeds_values = false;
  bool heeds_forms = false;
  bool has_lists = false;         ///< databases need lists, not registers
  bool depends_on_reads = false;  ///< reads decide what is written or shown
  bool is_told = false;  ///< the reader recognises the workload; else its name must be given
  bool ends_with_reads = false;  ///< without final reads of everything, no verdict is possible
  bool is_simulated = false;     ///< a simulated object generates it, but databases can run it too
  std::string_view also = {};    ///< another name
};

[[nodiscard]] std::span<const GeneratedWorkload> generated_workloads();

/// Whether a database can run it.
[[nodiscard]] constexpr bool is_of_database(const GeneratedWorkload& workload) {
  return workload.requests != nullptr;
}

/// The workload by either name; null if there is none.
[[nodiscard]] const GeneratedWorkload* find_generated_workload(std::string_view name);

}  // namespace elapid
