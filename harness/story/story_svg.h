// A story as a picture: a lane a session, time going down, the anomaly's steps numbered and its
// edges drawn between the operations that make them.
//
// One SVG file without scripts, fonts or links. Light or dark as the reader has it; kinds of edges
// differ by their dashes and labels, not by colour alone.
#pragma once

#include <string>

#include "harness/story/story.h"

namespace elapid {

/// The same bytes for the same story.
[[nodiscard]] std::string to_svg(const ToldStory& story);

}  // namespace elapid
