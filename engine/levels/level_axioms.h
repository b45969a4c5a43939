// The requirements of a level on its transactions, and the engine that decides it, in words.
#pragma once

#include <string>
#include <string_view>

#include "engine/levels/models.h"

namespace elapid {

/// The axiom: the orders that must exist, and the edges that they must contain. Empty for levels
/// that forbidden cycles alone define (`proscribes` in `elapid levels`).
[[nodiscard]] std::string axiom(Model model);

/// The engine that decides the model, and its cost.
[[nodiscard]] std::string_view decided_by(Model model);

}  // namespace elapid
