#include "adapter/report/views/views.h"

#include <fmt/format.h>

#include "adapter/report/html.h"
#include "adapter/report/views/picture_style.h"
#include "adapter/report/views/svg_text.h"
#include "views_texts.h"

namespace elapid {

std::string_view views_style() {
  return kViewsStyle;
}

std::string_view views_script() {
  return kViewsScript;
}

std::string svg_file(const Exhibit& exhibit, std::string_view svg) {
  const std::size_t body = svg.find('\n') + 1;
  return fmt::format(
      "{}<title>{}</title>\n<style>\n{}</style>\n<rect class=\"v-paper\" width=\"100%\" "
      "height=\"100%\"/>\n{}",
      svg.substr(0, body), html(exhibit_title(exhibit)), html(picture_style(views_style())),
      svg.substr(body));
}

}  // namespace elapid
