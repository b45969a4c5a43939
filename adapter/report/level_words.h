// Levels as people call them, and as databases call them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/levels/models.h"

namespace elapid {

/// `snapshot isolation`, `strict serializable`, for prose.
[[nodiscard]] std::string spoken_name(Model model);

/// The spoken name of each level, in the order of the names.
[[nodiscard]] std::vector<std::string> spoken_names(ModelSet models);

/// `a`, `a and b`, `a, b and c`.
[[nodiscard]] std::string listed_words(const std::vector<std::string>& words);

/// Settings of databases that are documented to give this level, as `PostgreSQL REPEATABLE READ`;
/// empty if no such setting is well known.
[[nodiscard]] std::string_view documented_as(Model model);

}  // namespace elapid
