#include "engine/online/online_keys.h"

#include "engine/online/list_keys.h"
#include "engine/online/register_keys.h"

namespace elapid {

std::unique_ptr<OnlineKeys> make_online_keys(Workload workload) {
  if (workload == Workload::kListAppend) {
    return std::make_unique<ListKeys>();
  }
  return std::make_unique<RegisterKeys>();
}

}  // namespace elapid
