// `elapid run --list`: each driver, its abilities, and how to install it.
#pragma once

#include <string>

#include "harness/drive/driver.h"

namespace elapid {

/// What a driver says of itself.
[[nodiscard]] std::string driver_text(const DriverInfo& info);

/// All drivers, and the workloads.
[[nodiscard]] std::string driver_list();

}  // namespace elapid
