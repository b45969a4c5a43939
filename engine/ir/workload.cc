#include "engine/ir/workload.h"

#include <algorithm>
#include <array>

namespace elapid {

namespace {

struct NamedWorkload {
  Workload workload;
  std::string_view name;
};

constexpr std::array kWorkloads = {NamedWorkload{Workload::kListAppend, "list-append"},
                                   NamedWorkload{Workload::kRwRegister, "rw-register"},
                                   NamedWorkload{Workload::kCasRegister, "cas-register"},
                                   NamedWorkload{Workload::kOther, "other"}};

}  // namespace

std::string_view name(Workload workload) {
  return std::ranges::find(kWorkloads, workload, &NamedWorkload::workload)->name;
}

std::optional<Workload> find_workload(std::string_view name) {
  const auto found = std::ranges::find(kWorkloads, name, &NamedWorkload::name);
  return found == kWorkloads.end() ? std::nullopt : std::optional(found->workload);
}

}  // namespace elapid
