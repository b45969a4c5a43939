// The pictures' style for files of their own.
//
// On a page colours are custom properties, which follow its theme. Programs that show a file know
// no var() as a rule (librsvg, Inkscape, previews of mail), and draw black shapes instead. So a
// file has each colour as it is, and once more for readers in the dark that know of media queries.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// The rules of views.css that a still picture needs, in CSS without var(). Relies on the shape of
/// that file: a rule is a line, colours are defined in `:root {` of several lines, first the light
/// and then the dark ones, and `--view-edge` by rules for a kind of edge each.
[[nodiscard]] std::string picture_style(std::string_view views_css);

}  // namespace elapid
