// Tables and wrapped text for terminals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

/// Rows as lines, in columns as wide as their widest cell: the first `left` columns to the left,
/// the others to the right. All rows have as many cells as the first.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows,
                                  std::size_t left = 1);

/// Words on lines of `width` columns, after `indent` blanks; the first line begins at `column`
/// instead. Ends with a newline.
[[nodiscard]] std::string in_lines(std::string_view text, std::size_t column, std::size_t indent,
                                   std::size_t width);

}  // namespace elapid
