// The form of a driver plug-in: a shared object `libelapid-driver-NAME.so` with one symbol, which
// names the build of Elapid that it fits. The interface is C++, so both must come from the same
// tree and compiler. A plug-in of another build is refused before its functions are called.
//
//   ELAPID_DRIVER_PLUGIN(elapid::RocksdbDriver)   // once, at the end of the driver's source
#pragma once

#include "harness/drive/driver.h"

namespace elapid {

/// The type of the symbol `elapid_driver_plugin`. Its first member never moves.
struct DriverPlugin {
  const char* built_for;
  const Driver& (*driver)();
};

inline constexpr const char* kDriverPluginSymbol = "elapid_driver_plugin";

template <class Class>
const Driver& the_driver() {
  static const Class driver;
  return driver;
}

}  // namespace elapid

/// Version, number of the interface in driver.h (increase it when driver.h changes), compiler.
#define ELAPID_DRIVER_BUILD "elapid " ELAPID_VERSION ", interface 4, " __VERSION__

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define ELAPID_DRIVER_PLUGIN(Class)                                       \
  extern "C" __attribute__((visibility("default")))                       \
  const elapid::DriverPlugin elapid_driver_plugin = {ELAPID_DRIVER_BUILD, \
                                                     &elapid::the_driver<Class>};
