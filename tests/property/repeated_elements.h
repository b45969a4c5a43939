// Lists that show an element which was appended more than once: nothing is decided of them.
#pragma once

#include <string_view>

namespace elapid {

/// Whether this is why an answer is unknown.
inline bool is_of_repeated_elements(std::string_view unknown_because) {
  return unknown_because.find("more than once") != std::string_view::npos ||
         unknown_because.find("no list") != std::string_view::npos;
}

}  // namespace elapid
