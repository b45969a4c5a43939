// Histories of published shapes, by name.
//
// Each is a workload, a store and numbers. Options of the caller replace its numbers.
#pragma once

#include <span>
#include <string_view>

#include "harness/generate/simulation.h"
#include "harness/generate/store/store.h"
#include "harness/generate/workloads/workload_options.h"

namespace elapid {

/// Everything that defines a history, except its seed.
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

/// The preset of this name; null if there is none.
[[nodiscard]] const Preset* find_preset(std::string_view name);

}  // namespace elapid
