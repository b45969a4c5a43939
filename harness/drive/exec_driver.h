// Any client, in any language: a program that is told of one transaction a line, in JSON, and
// answers with a line. docs/driver-protocol.md says what they are.
#ifndef ELAPID_HARNESS_DRIVE_EXEC_DRIVER_H_
#define ELAPID_HARNESS_DRIVE_EXEC_DRIVER_H_

#include "harness/drive/driver.h"

namespace elapid {

/// The driver `exec`; an address is a shell command.
[[nodiscard]] const Driver& exec_driver();

}  // namespace elapid

#endif  // ELAPID_HARNESS_DRIVE_EXEC_DRIVER_H_
