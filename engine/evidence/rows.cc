// Rows, and predicate reads that did or did not return them.
#include "engine/evidence/rows.h"

#include "engine/evidence/kinds.h"
#include "engine/rows/rows.h"
#include "engine/rows/text.h"

namespace elapid {
namespace {

/// `value 15`, or that the row was not there.
Phrase version_words(ValueId value, const History& history) {
  if (value.is_none()) {
    return as_phrase("unborn");
  }
  return value == history.values().find(":elle/dead") ? as_phrase("dead")
                                                      : as_phrase(ValuePart{value});
}

Phrase predicate_words(const History& history, TxnId txn, std::int32_t mop) {
  const rows::Rows& rows = *history.info().rows;
  const Op op = history.ops(txn)[static_cast<std::size_t>(mop)];
  return as_phrase(rows::text(history, rows.predicate(rows.op(op))));
}

}  // namespace

Phrase row_step_words(const Step& step, ActorPart from, ActorPart to, Story& story) {
  const History& history = story.history();
  const ValuePart row = story.key(step.key);
  const Phrase seen = version_words(step.value, history);
  const Phrase after = version_words(step.value_after, history);
  if (step.relation == Relation::kWw) {
    return phrase("{} left row {} as {}, and {} made it {}", from, row, seen, to, after);
  }
  if (step.relation == Relation::kWr) {
    return step.by_predicate ? phrase("{} left row {} as {}, which {} saw in its read by {}", from,
                                      row, seen, to, predicate_words(history, step.to, step.to_mop))
                             : phrase("{} left row {} as {}, which {} read", from, row, seen, to);
  }
  return step.by_predicate
             ? phrase(
                   "{} read by {} and saw row {} as {}, and {} made it {}, which the predicate "
                   "tells apart",
                   from, predicate_words(history, step.from, step.from_mop), row, seen, to, after)
             : phrase("{} read row {} as {}, and {} made it {}", from, row, seen, to, after);
}

void tell(const PredicateMissEvidence& evidence, Story& story) {
  const auto mop = static_cast<std::int32_t>(evidence.mop);
  const ActorPart reader =
      story.actor(evidence.reader, mop, story.history().key_value(evidence.row));
  story.claim("Whatever version of row {} there was when {} read, {} matches it.",
              story.key(evidence.row), reader,
              predicate_words(story.history(), evidence.reader, mop));
  story.claim("However, {} did not find the row: a predicate read missed it!", reader);
}

}  // namespace elapid
