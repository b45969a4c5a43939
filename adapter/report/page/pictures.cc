#include <fmt/format.h>

#include "adapter/report/page/page_parts.h"
#include "adapter/report/views/views.h"

namespace elapid {
namespace {

/// With at most so many transactions a finding is small: a table tells its story best.
constexpr std::size_t kMostInStory = 6;

/// More transactions are not drawn: a reader cannot follow them.
constexpr std::size_t kMostDrawn = 100;

/// The width of a picture, in pixels; 0 if the picture has none.
std::size_t width_of(std::string_view picture) {
  constexpr std::string_view kWidth = " width=\"";
  const std::size_t at = picture.find(kWidth);
  std::size_t width = 0;
  if (picture.starts_with("<svg") && at != std::string_view::npos) {
    for (const char c : picture.substr(at + kWidth.size())) {
      if (c < '0' || c > '9') {
        break;
      }
      width = width * 10 + static_cast<std::size_t>(c - '0');
    }
  }
  return width;
}

/// A picture that shrinks with the page down to a minimum; below, it scrolls.
std::string figure(std::string_view kind, std::string_view caption, const std::string& picture,
                   bool is_open) {
  const std::string scrolled = fmt::format(
      "<div class=\"v-scroll\" tabindex=\"0\" role=\"group\" aria-label=\"{}\">"
      "<div style=\"min-width: {}px\">{}</div></div>",
      caption, width_of(picture) * 7 / 10, picture);
  return fmt::format("<figure class=\"picture {}\">{}</figure>\n", kind,
                     is_open ? fmt::format("<figcaption>{}</figcaption>{}", caption, scrolled)
                             : page_details("drawn", caption, scrolled));
}

}  // namespace

FindingPictures finding_pictures(const ReportFinding& finding, std::size_t& bytes_left) {
  if (!finding.exhibit || finding.exhibit->txns.empty()) {
    return {};
  }
  const Exhibit& exhibit = *finding.exhibit;
  FindingPictures pictures{.is_small = exhibit.txns.size() <= kMostInStory};
  if (exhibit.txns.size() <= kMostDrawn && bytes_left > 0) {
    const bool has_graph = !exhibit.has_calls || !exhibit.edges.empty();
    pictures.graph = !has_graph ? ""
                                : figure("graph", "Which transaction must come before which",
                                         graph_svg(exhibit), true);
    pictures.timeline =
        figure("timeline", "When it happened", timeline_svg(exhibit), pictures.is_small);
    pictures.table =
        figure("table", "Session by session", session_table(exhibit), pictures.is_small);
  }
  const std::size_t size = pictures.graph.size() + pictures.timeline.size() + pictures.table.size();
  if (size == 0 || size > bytes_left) {
    return {.is_small = true,
            .graph = fmt::format("<p class=\"note\">The pictures are too large for this page; the "
                                 "graph is in findings/{}.svg.</p>\n",
                                 finding.anchor.substr(1))};
  }
  bytes_left -= size;
  return pictures;
}

}  // namespace elapid
