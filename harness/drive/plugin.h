// How a driver becomes a plug-in: a shared object `libelapid-driver-NAME.so` with one symbol, which
// says for which build of Elapid it was made. The interface is C++, so both must come from the same
// tree and compiler; another one is refused before anything of it is called.
//
//   ELAPID_DRIVER_PLUGIN(elapid::RocksdbDriver)   // once, at the end of the driver's source
#pragma once

#include "harness/drive/driver.h"

namespace elapid {

/// What the symbol `elapid_driver_plugin` is. The first member stays where it is for ever.
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

/// Version, number of the interface in driver.h (to be counted up when that changes), compiler.
#define ELAPID_DRIVER_BUILD "elapid " ELAPID_VERSION ", interface 4, " __VERSION__

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage)
#define ELAPID_DRIVER_PLUGIN(Class)                                       \
  extern "C" __attribute__((visibility("default")))                       \
  const elapid::DriverPlugin elapid_driver_plugin = {ELAPID_DRIVER_BUILD, \
                                                     &elapid::the_driver<Class>};
