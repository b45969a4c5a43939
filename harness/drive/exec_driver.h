// A client in any language: a program that gets one line of JSON for each transaction and answers
// with a line. docs/driver-protocol.md describes the lines.
#pragma once

#include "harness/drive/driver.h"

namespace elapid {

/// The driver `exec`. Its address is a shell command.
[[nodiscard]] const Driver& exec_driver();

}  // namespace elapid
