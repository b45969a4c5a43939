// Helpers of JSON readers for numbers and arrays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/ir/integer_text.h"
#include "parsers/json/document.h"

namespace elapid::json {

/// The integer of 64 bits that a number is, if it has that form; nothing for other values.
[[nodiscard]] inline std::optional<std::int64_t> integer(Value value) {
  return value.kind() == Kind::kNumber ? integer_of(value.text()) : std::nullopt;
}

/// The number of elements.
[[nodiscard]] inline std::size_t size_of(Value array) {
  std::size_t size = 0;
  for (Value element = array.begin(); element != array.end(); element = element.next()) {
    ++size;
  }
  return size;
}

}  // namespace elapid::json
