#include <fmt/format.h>

#include "adapter/report/page/page_parts.h"
#include "report_texts.h"

namespace elapid {

std::string page_shapes() {
  return std::string(kPageShapes);
}

std::string page_shape(std::string_view name) {
  return fmt::format(
      R"(<svg class="shape" aria-hidden="true" focusable="false"><use href="#{}"/></svg>)", name);
}

std::string page_details(std::string_view kind, std::string_view summary, std::string_view content,
                         bool is_open) {
  return fmt::format("<details class=\"{}\"{}><summary>{}</summary>{}</details>", kind,
                     is_open ? " open" : "", summary, content);
}

}  // namespace elapid
