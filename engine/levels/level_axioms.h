// The requirements of a level on its transactions, and the engine that decides it, in words.
#pragma once

#include <string>
#include <string_view>

#include "engine/levels/models.h"

namespace elapid {

/// The axiom: which orders there must be, and what they must contain. Empty for levels that are
/// defined by forbidden cycles alone (`proscribes` in `elapid levels`).
[[nodiscard]] std::string axiom(Model model);

/// The engine and its cost.
[[nodiscard]] std::string_view decided_by(Model model);

}  // namespace elapid
