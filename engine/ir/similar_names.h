// Guesses at a misspelt name.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

/// Up to `limit` known names, closest first, that differ from `name` by edits of at most a third of
/// its letters. The exchange of two adjacent letters is one edit. Capitals, a leading colon, and
/// underscores or blanks instead of hyphens make no difference.
[[nodiscard]] std::vector<std::string> similar_names(std::string_view name,
                                                     const std::vector<std::string_view>& known,
                                                     std::size_t limit = 3);

}  // namespace elapid
