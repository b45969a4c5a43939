// How dependencies between transactions on rows are put in words.
#ifndef ELAPID_ENGINE_EVIDENCE_ROWS_H_
#define ELAPID_ENGINE_EVIDENCE_ROWS_H_

#include "engine/evidence/story.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// Why `from` comes before `to`: of ww, wr and rw steps of a history of rows.
[[nodiscard]] Phrase row_step_words(const Step& step, ActorPart from, ActorPart to, Story& story);

}  // namespace elapid

#endif  // ELAPID_ENGINE_EVIDENCE_ROWS_H_
