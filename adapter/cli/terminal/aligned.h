// Tables and wrapped text for terminals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

/// Rows as lines, in columns as wide as the widest of their cells: the first `left` columns to the
/// left, the others to the right. All rows have as many cells as the first.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows,
                                  std::size_t left = 1);

/// Words on lines of `width` columns, behind `indent` blanks but for the first line, which begins
/// at `column`. Ends with a newline.
[[nodiscard]] std::string in_lines(std::string_view text, std::size_t column, std::size_t indent,
                                   std::size_t width);

}  // namespace elapid
