// Histories made to order, from a recipe and a seed: a simulated database (store/), clients
// (simulation.h) and what they ask of it (workloads/).
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

/// The source of what clients ask, by a recipe's workload and numbers. Error kUsage: a name that
/// there is not, with what it resembles, or numbers that contradict each other.
[[nodiscard]] Result<std::unique_ptr<RequestSource>> make_requests(const Recipe& recipe);

/// The same, with a store. Errors likewise.
[[nodiscard]] Result<std::unique_ptr<Simulation>> make_simulation(const Recipe& recipe);

/// Whether an object makes the workload's histories: where no database can be asked for it, and
/// where faults are wanted that a database does not know.
[[nodiscard]] bool is_of_object(std::string_view workload, bool has_faults);

/// Sessions that use an object of the recipe's workload, without a store. Error kUsage: a workload
/// that is not of such an object, or of several, and numbers that contradict each other.
[[nodiscard]] Result<std::unique_ptr<ObjectSimulation>> make_object_simulation(
    const Recipe& recipe, const std::vector<WantedFault>& wanted = {});

}  // namespace elapid
