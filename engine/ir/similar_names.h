// What a misspelt name may have meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

/// Up to `limit` of the names known that edits of at most a third of its letters make out of
/// `name`, closest first. Two letters that changed places are one edit; capitals, a leading colon,
/// and underscores or blanks for hyphens, are no difference.
[[nodiscard]] std::vector<std::string> similar_names(std::string_view name,
                                                     const std::vector<std::string_view>& known,
                                                     std::size_t limit = 3);

}  // namespace elapid
