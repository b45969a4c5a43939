#include "engine/rows/rows.h"

namespace elapid::rows {

std::size_t Rows::memory_bytes() const {
  const auto bytes = [](const auto& array) { return array.size() * sizeof(*array.begin()); };
  return bytes(ops_) + bytes(fields_) + bytes(shown_) + bytes(predicates_) + bytes(row_keys_) +
         bytes(column_names_);
}

}  // namespace elapid::rows
