// A story as a picture: a lane for each session, time going down; the steps of the anomaly are
// numbered, and its edges connect the operations that cause them.
//
// One SVG file without scripts, fonts or links. It follows the reader's light or dark mode. Kinds
// of edges differ in dashes and labels, not only in colour.
#pragma once

#include <string>

#include "harness/story/story.h"

namespace elapid {

/// The same story gives the same bytes.
[[nodiscard]] std::string to_svg(const ToldStory& story);

}  // namespace elapid
