// A story as text.
//
//   lost-update: an update is overwritten by one that did not see it
//   not snapshot-isolation; 2 transactions, 4 operations, from 100,000 transactions
//
//       session 0        session 1
//       T1 begin
//    1  read x = nil
//                        T2 begin
//    2                   read x = nil
//    ...
//
//   T1 -rw-> T2 -ww-> T1
//     - T1 and T2 each read x = nil, and then wrote x.
#pragma once

#include <string>

#include "harness/story/story.h"

namespace elapid {

/// The parts as above, separated by empty lines; ends with a newline.
[[nodiscard]] std::string to_text(const ToldStory& story);

/// `T1 -rw-> T2 -ww-> T1`; empty without edges.
[[nodiscard]] std::string cycle_text(const ToldStory& story);

/// The text of a row: `T1 begin` for a begin, else the step's text.
[[nodiscard]] std::string row_text(const ToldStory& story, const StoryStep& step);

}  // namespace elapid
