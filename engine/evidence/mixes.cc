// A mix of levels without a commit order: the levels of all transactions involved, then the proof.

#include "engine/evidence/kinds.h"
#include "engine/evidence/steps.h"
#include "engine/levels/asked_levels.h"

namespace elapid {

namespace {

/// How the level of a reader concerns a writer that it missed.
std::string_view may_not_miss(Visibility visibility) {
  switch (visibility) {
    case Visibility::kSerial:
      return "may miss nothing that commits before it";
    case Visibility::kSnapshot:
      return "may miss nothing that commits before what it depends on, or before another writer of "
             "its keys";
    case Visibility::kPrefix:
      return "may miss nothing that commits before what it depends on";
    case Visibility::kCausal:
      return "may miss nothing that leads to what it read";
    case Visibility::kReadAtomic:
      return "may miss no write of a transaction that it read from";
    case Visibility::kReadCommitted:
      return "may miss no write of a transaction that it read from before";
    case Visibility::kCursor:
      return "may miss no earlier write of a key that it writes";
    default:
      return "may miss anything, but reads committed versions alone";
  }
}

}  // namespace

void tell(const MixEvidence& evidence, Story& story) {
  story.gloss("reads that no commit order lets each level allow");
  for (const ProvedChoice& proved : evidence.because) {
    cast(proved.steps, story);
  }
  for (const auto& [txn, model] : evidence.levels) {
    const auto level = level_in_mix(model);
    story.claim("{}, at {}, {}.", story.actor(txn), friendly_name(model),
                model == Model::kPl1
                    ? "may read anything"
                    : may_not_miss(level ? level->visibility : Visibility::kNothing));
  }
  tell_proof(evidence.because, story);
}

}  // namespace elapid
