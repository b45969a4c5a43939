// Small files that people write: scenarios, programs.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// The whole text. Error kUnreadable, or kMalformed beyond 1 MiB: `what` is `a scenario`.
[[nodiscard]] Result<std::string> read_text_file(const std::string& path, std::string_view what);

}  // namespace elapid
