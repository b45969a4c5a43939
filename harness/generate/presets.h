// Histories of published shapes, by name.
//
// Each is a workload, a store and numbers; what is said beside a preset replaces its numbers.
#pragma once

#include <span>
#include <string_view>

#include "harness/generate/simulation.h"
#include "harness/generate/store/store.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// All that makes a history, but for its seed.
struct Recipe {
  std::string_view workload = "list-append";
  std::string_view store = "strict-serializable";
  WorkloadOptions requests = {.keys = 0};
  StoreOptions storage = {};
  SimulationOptions clients = {};
};

struct Preset {
  std::string_view name;
  std::string_view about;
  Recipe recipe;
};

[[nodiscard]] std::span<const Preset> presets();

/// Null if there is none of this name.
[[nodiscard]] const Preset* find_preset(std::string_view name);

}  // namespace elapid
