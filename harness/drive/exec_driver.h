// Any client, in any language: a program that is told of one transaction a line, in JSON, and
// answers with a line. docs/driver-protocol.md says what they are.
#pragma once

#include "harness/drive/driver.h"

namespace elapid {

/// The driver `exec`; an address is a shell command.
[[nodiscard]] const Driver& exec_driver();

}  // namespace elapid
