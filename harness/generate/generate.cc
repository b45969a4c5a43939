#include "harness/generate/generate.h"

#include <string>
#include <utility>

#include "engine/ir/mapped.h"
#include "engine/ir/similar_names.h"

namespace elapid {

namespace {

template <class Rows>
Error unknown_name(std::string_view what, std::string_view name, const Rows& rows) {
  auto known = mapped<std::string_view>(rows, [&](const auto& row) { return row.name; });
  std::string message = "there is no " + std::string(what) + ' ' + std::string(name);
  const std::vector<std::string> similar = similar_names(name, known, 1);
  if (!similar.empty()) {
    return usage_error(message + "; did you mean " + similar.front() + '?');
  }
  message += "; known are";
  for (const std::string_view one : known) {
    message += (one == known.front() ? " " : ", ") + std::string(one);
  }
  return usage_error(message);
}

Status check_numbers(const Recipe& recipe) {
  const WorkloadOptions& requests = recipe.requests;
  const Faults& faults = recipe.clients.faults;
  if (requests.min_length > requests.max_length) {
    return usage_error("transactions of at least " + std::to_string(requests.min_length) +
                       " and at most " + std::to_string(requests.max_length) + " operations");
  }
  if (std::uint64_t{faults.aborts} + faults.indeterminate + faults.crashes > 1'000'000) {
    return usage_error("more than all transactions abort, stay indeterminate or crash");
  }
  const bool has_registers = recipe.workload == "rw-register" || recipe.workload == "mini" ||
                             recipe.workload == "blind-writes";
  if (recipe.clients.loads && (!has_registers || requests.max_writes != 0)) {
    return usage_error(
        "a first transaction can load registers of rw-register, mini and blind-writes, and "
        "only where keys are not retired after some writes");
  }
  return {};
}

}  // namespace

Result<std::unique_ptr<RequestSource>> make_requests(const Recipe& recipe) {
  const GeneratedWorkload* workload = find_generated_workload(recipe.workload);
  if (workload == nullptr) {
    return unknown_name("workload", recipe.workload, generated_workloads());
  }
  if (!is_of_database(*workload)) {
    return usage_error("the workload " + std::string(workload->name) +
                       " can be simulated only: no database can be asked for it");
  }
  WorkloadOptions requests = recipe.requests;
  if (requests.keys == 0) {
    requests.keys = workload->keys;
  }
  requests.loads = recipe.clients.loads;
  ELAPID_RETURN_IF_ERROR(check_numbers(recipe));
  return workload->requests(requests);
}

Result<std::unique_ptr<Simulation>> make_simulation(const Recipe& recipe) {
  if (find_generated_workload(recipe.workload) == nullptr) {
    return unknown_name("workload", recipe.workload, generated_workloads());
  }
  ELAPID_ASSIGN_OR_RETURN(std::unique_ptr<RequestSource> requests, make_requests(recipe));
  const StoreKind* store = find_store(recipe.store);
  if (store == nullptr) {
    return unknown_name("store", recipe.store, store_kinds());
  }
  const bool has_rows = find_generated_workload(recipe.workload)->workload == Workload::kRows;
  if (has_rows && !store->keeps_of_rows) {
    return usage_error("the store " + std::string(store->name) +
                       " has no rows: of its level it is not defined what predicates find");
  }
  return std::make_unique<Simulation>(*store, recipe.storage, std::move(requests), recipe.clients);
}

bool is_of_object(std::string_view workload, bool has_faults) {
  const GeneratedWorkload* const row = find_generated_workload(workload);
  return row != nullptr && find_object_type(workload) != nullptr &&
         (has_faults || row->is_simulated || !is_of_database(*row));
}

Result<std::unique_ptr<ObjectSimulation>> make_object_simulation(
    const Recipe& recipe, const std::vector<WantedFault>& wanted) {
  const ObjectType* type = find_object_type(recipe.workload);
  if (type == nullptr) {
    return unknown_name("object", recipe.workload, object_types());
  }
  const GeneratedWorkload& workload = *find_generated_workload(recipe.workload);
  WorkloadOptions requests = recipe.requests;
  if (is_of_database(workload) && workload.keys == 1 && requests.keys > 1) {
    return usage_error("one object of " + std::string(type->name) + " can be simulated, not " +
                       std::to_string(requests.keys));
  }
  requests.keys = requests.keys == 0 ? workload.keys : requests.keys;
  ELAPID_RETURN_IF_ERROR(check_numbers(recipe));
  SimulationOptions clients = recipe.clients;
  clients.sessions = type->has_one_client ? 1 : clients.sessions;
  return std::make_unique<ObjectSimulation>(type->make(requests), clients, wanted);
}

}  // namespace elapid
