// Generated histories, from a recipe and a seed: a simulated database (store/), its clients
// (simulation.h) and their requests (workloads/).
//
// ```cpp
// #include "harness/generate/generate.h"
//
// Recipe recipe = {.workload = "list-append", .store = "snapshot-isolation"};
// recipe.clients.seed = 42;
// const Result<std::unique_ptr<Simulation>> simulation = make_simulation(recipe);
// REQUIRE(simulation.ok());
// PlainEvent event;
// REQUIRE(simulation.value()->next(event));
// CHECK(event.type == EventType::kInvoke);
// CHECK(event.time > 0);
// ```
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "engine/ir/result.h"
#include "harness/generate/objects/object_simulation.h"
#include "harness/generate/presets.h"
#include "harness/generate/simulation.h"
#include "harness/generate/workloads/workload_table.h"

namespace elapid {

/// The source of the clients' requests, by a recipe's workload and numbers. Error: kUsage for an
/// unknown name, with similar ones, or for numbers that contradict each other.
[[nodiscard]] Result<std::unique_ptr<RequestSource>> make_requests(const Recipe& recipe);

/// The same with a store. The same errors.
[[nodiscard]] Result<std::unique_ptr<Simulation>> make_simulation(const Recipe& recipe);

/// Whether an object makes the workload's histories: no database can run the workload, or the
/// wanted faults are not ones of a database.
[[nodiscard]] bool is_of_object(std::string_view workload, bool has_faults);

/// Sessions that use an object of the recipe's workload, without a store. Error: kUsage for a
/// workload without such an object or with several, and for numbers that contradict each other.
[[nodiscard]] Result<std::unique_ptr<ObjectSimulation>> make_object_simulation(
    const Recipe& recipe, const std::vector<WantedFault>& wanted = {});

}  // namespace elapid
