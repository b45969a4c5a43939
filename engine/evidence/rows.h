// Dependencies between transactions on rows in words.
#pragma once

#include "engine/evidence/story.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// Why `from` comes before `to`: for ww, wr and rw steps of a history of rows.
[[nodiscard]] Phrase row_step_words(const Step& step, ActorPart from, ActorPart to, Story& story);

}  // namespace elapid
