// The types of objects that can be simulated: a table with a row a type, and the faults that the
// checker of each type must find.
//
//   find_object_type("stack")->faults    duplicate, never-added, before-added, false-empty, ...
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>

#include "harness/generate/objects/object.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// Where in a history a fault may be injected.
enum class FaultPlace : std::uint8_t { kAnywhere, kBegin, kEnd };

/// A fault, or an allowed but notable behaviour.
struct ObjectFault {
  std::string_view name;
  std::string_view about;
  void (*tell)(ObjectModel& model, FaultScript& script);
  /// The finding with which the workload's checker reports it; empty: the report is that no order
  /// of the operations explains it.
  std::string_view found_as = {};
  std::string_view only_with = {};  ///< the flag of `check` that looks for it, without dashes
  bool is_allowed = false;          ///< it is counted, as `NAME-count`, and the history is valid
  FaultPlace place = FaultPlace::kAnywhere;  ///< when the object injects it
};

/// Makes a model from these options, or from none; has the type that ObjectType::make needs.
template <class Model>
std::unique_ptr<ObjectModel> make_model(const WorkloadOptions& options) {
  if constexpr (std::is_constructible_v<Model, const WorkloadOptions&>) {
    return std::make_unique<Model>(options);
  } else {
    return std::make_unique<Model>();
  }
}

struct ObjectType {
  std::string_view name;  ///< of the workload
  std::unique_ptr<ObjectModel> (*make)(const WorkloadOptions& options);
  std::span<const ObjectFault> faults;
  bool has_one_client = false;  ///< its operations follow one another: one client only
};

[[nodiscard]] std::span<const ObjectType> object_types();

/// The type of this name; null if there is none.
[[nodiscard]] const ObjectType* find_object_type(std::string_view name);

// The rows of the table, each in a file of its own.
[[nodiscard]] ObjectType register_type();
[[nodiscard]] ObjectType fifo_queue_type();
[[nodiscard]] ObjectType unordered_queue_type();
[[nodiscard]] ObjectType queue_type();
[[nodiscard]] ObjectType stack_type();
[[nodiscard]] ObjectType priority_queue_type();
[[nodiscard]] ObjectType mutex_type();
[[nodiscard]] ObjectType grow_only_set_type();
[[nodiscard]] ObjectType add_remove_set_type();
[[nodiscard]] ObjectType counter_type();
[[nodiscard]] ObjectType unique_ids_type();
[[nodiscard]] ObjectType echo_type();
[[nodiscard]] ObjectType causal_reverse_type();
[[nodiscard]] ObjectType dirty_reads_type();
[[nodiscard]] ObjectType monotonic_faunadb_type();
[[nodiscard]] ObjectType set_type();
[[nodiscard]] ObjectType set_full_type();
[[nodiscard]] ObjectType total_queue_type();
[[nodiscard]] ObjectType bank_type();
[[nodiscard]] ObjectType g2_type();
[[nodiscard]] ObjectType sequential_type();
[[nodiscard]] ObjectType causal_type();
[[nodiscard]] ObjectType dirty_read_type();
[[nodiscard]] ObjectType monotonic_cockroach_type();
[[nodiscard]] ObjectType monotonic_tidb_type();
[[nodiscard]] ObjectType kafka_type();
[[nodiscard]] ObjectType long_fork_type();
[[nodiscard]] ObjectType multi_register_type();
[[nodiscard]] ObjectType kv_type();
[[nodiscard]] ObjectType fetch_and_add_type();

}  // namespace elapid
