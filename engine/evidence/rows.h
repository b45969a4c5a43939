// How dependencies between transactions on rows are put in words.
#pragma once

#include "engine/evidence/story.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// Why `from` comes before `to`: of ww, wr and rw steps of a history of rows.
[[nodiscard]] Phrase row_step_words(const Step& step, ActorPart from, ActorPart to, Story& story);

}  // namespace elapid
