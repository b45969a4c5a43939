// What every page has around its content: nothing is fetched, and no script runs but its own.
#pragma once

#include <string>
#include <string_view>

#include "engine/levels/validity.h"

namespace elapid {

/// Texts, but for style and script, are of a history: they are made harmless here.
struct PageFrame {
  std::string_view title = {};
  std::string_view subject = {};  ///< named beside the brand: a file
  Validity validity = Validity::kUnknown;
  std::string_view style = {};   ///< beside that of all pages
  std::string_view script = {};  ///< may be empty
};

/// The whole page around `content`, which is HTML. Shapes (page_parts.h) can be referred to.
[[nodiscard]] std::string framed_page(const PageFrame& frame, std::string_view content);

}  // namespace elapid
