#include "adapter/cli/commands/run/driver_list.h"

#include <fmt/format.h>

#include "harness/drive/drivers.h"
#include "harness/generate/workloads/workload_table.h"

namespace elapid {

std::string driver_text(const DriverInfo& info) {
  std::string text = fmt::format("  {:<16}{}\n", info.name, info.about);
  text += fmt::format("    {:<22}{}\n", "--db", info.address);
  for (const DriverLevel& level : info.levels) {
    text += fmt::format("    {:<22}{}\n", level.name, level.about);
  }
  for (const DriverParameter& parameter : info.parameters) {
    const std::string_view values = parameter.values.empty() ? "..." : parameter.values;
    text += fmt::format("    ?{:<21}{} ({})\n", parameter.name, parameter.about, values);
  }
  if (!info.order.empty()) {
    text += fmt::format("    {:<22}{}\n", "--timestamps", info.order);
  }
  return text;
}

std::string driver_list() {
  std::string text = "Databases (--db), their levels (--isolation) and parameters:\n";
  for (const KnownDriver& known : known_drivers()) {
    const Result<const Driver*> driver = find_driver(known.name);
    text += driver ? driver_text(driver.value()->info())
                   : fmt::format("  {:<16}{}\n    {}\n", known.name, known.about,
                                 driver.error().to_string());
  }
  text += "\nWorkloads (-m):\n";
  for (const GeneratedWorkload& workload : generated_workloads()) {
    if (is_of_database(workload)) {
      text += fmt::format("  {:<16}{}\n", workload.name, workload.about);
    }
  }
  return text;
}

}  // namespace elapid
