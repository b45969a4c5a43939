// The numbers of the lines that were returned.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/lines/line_source.h"

namespace elapid {

class LineNumbers {
 public:
  /// Numbers the next lines, which begin at byte `offset`. O(bytes).
  Lines number(std::string_view text, std::uint64_t offset) {
    const Lines lines = {.text = text, .first_line = next_, .offset = offset};
    next_ += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    return lines;
  }

  /// Numbers a skipped line.
  Error too_long(const std::string& name, std::uint64_t offset, std::size_t longest_line) {
    return {.kind = ErrorKind::kMalformed,
            .message = "expected a line of no more than " + std::to_string(longest_line) +
                       " bytes, found a longer one",
            .file = name,
            .line = next_++,
            .column = 1,
            .byte_offset = offset};
  }

 private:
  std::uint64_t next_ = 1;
};

}  // namespace elapid
