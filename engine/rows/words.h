// Columns, predicates and the extent of rows in words.
#pragma once

#include <cstddef>
#include <string>

#include "engine/ir/history.h"
#include "engine/rows/predicate.h"
#include "engine/rows/rows.h"

namespace elapid::rows {

/// The column's name.
[[nodiscard]] std::string column_words(const History& history, ColumnId column);

/// The demand of a predicate in words: `:room = 5 and 10 <= :hour <= 12`.
[[nodiscard]] std::string condition_words(const History& history, const Predicate& is);

/// The number of rows that operations name. A history of an open universe has keys of others too.
[[nodiscard]] std::size_t named_rows(const History& history);

/// The extent of so many rows: `214 with 3 columns`.
[[nodiscard]] std::string extent_words(const Rows& rows, std::size_t named);

}  // namespace elapid::rows
