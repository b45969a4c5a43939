// Text that a format ignores: lines between those of a history, and words after them.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/traces/is_utf8.h"

namespace elapid {

/// Refuses a line that is not text. Skipped text of a line may have any other content. Error
/// kMalformed.
inline Status check_other_line(std::string_view line, std::uint64_t offset) {
  const bool is_text = is_utf8(line) && line.find('\0') == std::string_view::npos;
  return is_text ? Status()
                 : malformed_at(offset, "expected a line of text in UTF-8, found other bytes");
}

}  // namespace elapid
