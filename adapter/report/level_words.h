// Levels as people speak of them, and what databases call them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/levels/models.h"

namespace elapid {

/// `snapshot isolation`, `strict serializable`; in prose, where the exact name would read oddly.
[[nodiscard]] std::string spoken_name(Model model);

/// Of each, in the order of their names.
[[nodiscard]] std::vector<std::string> spoken_names(ModelSet models);

/// `a`, `a and b`, `a, b and c`.
[[nodiscard]] std::string listed_words(const std::vector<std::string>& words);

/// Settings of databases that are documented to give this level, as `PostgreSQL REPEATABLE READ`;
/// empty where none is well known.
[[nodiscard]] std::string_view documented_as(Model model);

}  // namespace elapid
