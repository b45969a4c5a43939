#include "harness/generate/objects/object_types.h"

#include <algorithm>
#include <array>

namespace elapid {

std::span<const ObjectType> object_types() {
  static const std::array kTypes = {
      register_type(),
      fifo_queue_type(),
      unordered_queue_type(),
      queue_type(),
      stack_type(),
      priority_queue_type(),
      mutex_type(),
      grow_only_set_type(),
      add_remove_set_type(),
      counter_type(),
      unique_ids_type(),
      echo_type(),
      causal_reverse_type(),
      dirty_reads_type(),
      monotonic_faunadb_type(),
      set_type(),
      set_full_type(),
      total_queue_type(),
      bank_type(),
      g2_type(),
      sequential_type(),
      causal_type(),
      dirty_read_type(),
      monotonic_cockroach_type(),
      monotonic_tidb_type(),
      kafka_type(),
      long_fork_type(),
      multi_register_type(),
      kv_type(),
      fetch_and_add_type(),
  };
  return kTypes;
}

const ObjectType* find_object_type(std::string_view name) {
  const auto found = std::ranges::find(object_types(), name, &ObjectType::name);
  return found == object_types().end() ? nullptr : &*found;
}

}  // namespace elapid
