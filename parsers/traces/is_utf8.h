// Tells whether bytes are text.
#pragma once

#include <string_view>

#include "parsers/edn/utf8.h"

namespace elapid {

/// Whether all of `text` is valid UTF-8. Linear.
inline bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const edn::CodePoint point = edn::decode_utf8(text);
    if (point.length == 0) {
      return false;
    }
    text.remove_prefix(point.length);
  }
  return true;
}

}  // namespace elapid
