// Which questions an engine cannot be asked of a history.
#pragma once

#include <optional>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

/// Why the engine asked for cannot answer what is asked of `history`, which is known without any
/// search; nothing if it can. kUsage, as check() has it.
[[nodiscard]] std::optional<Error> refusal(const History& history, const CheckOptions& options);

}  // namespace elapid
