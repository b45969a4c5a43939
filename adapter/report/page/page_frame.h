// The frame around the content of every page. It fetches nothing, and only its own script runs.
#pragma once

#include <string>
#include <string_view>

#include "engine/levels/validity.h"

namespace elapid {

/// Escapes all texts but style and script, because they come from a history.
struct PageFrame {
  std::string_view title = {};
  std::string_view subject = {};  ///< beside the brand: a file
  Validity validity = Validity::kUnknown;
  std::string_view style = {};   ///< beside the style of all pages
  std::string_view script = {};  ///< may be empty
};

/// The whole page around `content`, which is HTML. It can refer to shapes (page_parts.h).
[[nodiscard]] std::string framed_page(const PageFrame& frame, std::string_view content);

}  // namespace elapid
