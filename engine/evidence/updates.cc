// Writes that cannot follow what they follow: dirty and lost updates.
#include <algorithm>
#include <array>
#include <span>

#include "engine/evidence/kinds.h"

namespace elapid {
namespace {

/// One of the transactions of a lost update, with its read and its write.
ActorPart updater(TxnId txn, KeyId key, Story& story) {
  const EventRef event = representative_ref(story.history(), txn);
  const std::span<const Op> ops = shown_ops(story.history(), event);
  const auto begin = ops.begin();
  const auto read =
      std::find_if(begin, ops.end(), [&](Op op) { return op.is_read() && op.key() == key; });
  const auto write =
      std::find_if(read, ops.end(), [&](Op op) { return op.is_write() && op.key() == key; });
  for (const auto mop : {read, write}) {
    if (mop != ops.end()) {
      story.actor(event, Focus{static_cast<std::uint32_t>(mop - begin)});
    }
  }
  return story.actor(event);
}

}  // namespace

void tell(const DirtyUpdateEvidence& evidence, Story& story) {
  const EventRef aborted = representative_ref(story.history(), evidence.aborted);
  const EventRef committed = representative_ref(story.history(), evidence.committed);
  const ValuePart key = story.key(evidence.key);
  const ActorPart a = story.actor(aborted);
  const ActorPart b = story.actor(committed);
  for (const ValueId value : evidence.values) {
    story.focus_on_write(aborted, evidence.key, value);
    story.focus_on_write(committed, evidence.key, value);
  }
  story.claim("{} appended to key {}, and was aborted.", a, key);
  Phrase shown;
  if (!evidence.values.empty()) {
    const auto read =
        story.orders().read_with(evidence.key, evidence.values.front(), evidence.values.back());
    if (read && evidence.values.size() > 1) {
      const std::array ends = {evidence.values.front(), evidence.values.back()};
      const Op op = story.history().ops(read->txn)[read->mop];
      shown = phrase(", which {} read in {}", story.witness(*read, ends), story.value(op, ends));
    }
  }
  story.claim(
      "However, {} committed an append to key {} on top of it, as the elements {} show{}: an "
      "update of an aborted state!",
      b, key, Story::list(evidence.values), shown);
}

void tell(const LostUpdateEvidence& evidence, Story& story) {
  const EventRef first = representative_ref(story.history(), evidence.txns.front());
  const Op read = shown_ops(story.history(), first)[evidence.mop];
  const ValuePart key = story.key(evidence.key);
  story.claim(
      "{} each read key {} = {}, and then wrote key {}.",
      Story::series(evidence.txns, [&](TxnId txn) { return updater(txn, evidence.key, story); }),
      key, story.value(read), key);
  story.claim("However, only one of these writes can directly follow that version: lost updates!");
}

}  // namespace elapid
