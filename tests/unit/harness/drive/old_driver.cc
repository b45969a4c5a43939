// A plug-in of an older build, for drivers_test.cc.
#include "harness/drive/plugin.h"

extern "C" __attribute__((visibility("default")))
const elapid::DriverPlugin elapid_driver_plugin = {"elapid 0.0, interface 0", nullptr};
