// Lists of whole numbers in a text of any form: `1,2,3`, `[1, 2, 3]`.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <vector>

namespace elapid {

/// Appends the numbers in the text to `to`, with any text between them.
inline void add_listed_numbers(std::string_view text, std::vector<std::int64_t>& to) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t number = 0;
    const auto [behind, error] = std::from_chars(at, end, number);
    if (error == std::errc()) {
      to.push_back(number);
    }
    at = error == std::errc() ? behind : at + 1;
  }
}

}  // namespace elapid
