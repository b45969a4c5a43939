// The workloads that can be generated, in a table.
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
  /// Null: it is of a simulated object (objects/object_types.h), not of a database.
  std::unique_ptr<RequestSource> (*requests)(const WorkloadOptions& options);
  Workload workload;      ///< what a history of it is read as
  std::size_t keys = 10;  ///< in use by default
  // Which of WorkloadOptions it heeds.
  bool heeds_keys = true;
  bool heeds_lengths = false;
  bool heeds_reads = true;
  bool heeds_values = false;
  bool heeds_forms = false;
  bool has_lists = false;         ///< databases are asked for lists, not for registers
  bool depends_on_reads = false;  ///< what is read decides what is written or shown
  bool is_told = false;        ///< what it is judged as its operations tell; else that is its name
  std::string_view also = {};  ///< another name
};

[[nodiscard]] std::span<const GeneratedWorkload> generated_workloads();

/// Whether databases can be asked for it.
[[nodiscard]] constexpr bool is_of_database(const GeneratedWorkload& workload) {
  return workload.requests != nullptr;
}

/// By either name; null if there is none.
[[nodiscard]] const GeneratedWorkload* find_generated_workload(std::string_view name);

}  // namespace elapid
