// Tables for terminals.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace elapid {

/// Rows as lines, in columns as wide as the widest of their cells: the first `left` columns to the
/// left, the others to the right. All rows have as many cells as the first.
[[nodiscard]] std::string aligned(const std::vector<std::vector<std::string>>& rows,
                                  std::size_t left = 1);

}  // namespace elapid
