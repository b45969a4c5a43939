// Runs a function in a process of its own. Its threads, its memory and even its crash end with that
// process.
//
// ```cpp
// const Result<std::string> answer = call_in_child([] { return std::string("yes"); });
// CHECK(answer.value() == "yes");
// ```
#pragma once

#include <functional>
#include <string>

#include "engine/ir/result.h"

namespace elapid {

/// Calls `work` in a child of this process, which must have no threads yet, and returns its result.
/// Waits for the child, whatever signals come. Error: kInternal if `work` threw, with the message;
/// if the child ended in another way (a signal, an exit); or if it cannot be made.
[[nodiscard]] Result<std::string> call_in_child(const std::function<std::string()>& work);

}  // namespace elapid
