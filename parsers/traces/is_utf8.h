// Whether bytes are a text.
#pragma once

#include <string_view>

#include "parsers/edn/utf8.h"

namespace elapid {

/// Whether `text` is valid UTF-8 from end to end. Linear.
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
