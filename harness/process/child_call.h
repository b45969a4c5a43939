// Runs a function in a process of its own. Its threads, its memory and even its crash are gone with
// that process.
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

/// Calls `work` in a child of this process, which must have no threads yet, and gives what it
/// returned. Waits for it, whatever signals come. Errors: kInternal with what `work` has thrown, or
/// where the child ended otherwise (a signal, an exit), or cannot be made.
[[nodiscard]] Result<std::string> call_in_child(const std::function<std::string()>& work);

}  // namespace elapid
