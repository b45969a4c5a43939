// Writes that cannot follow the version that they follow: dirty and lost updates.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/evidence/kinds.h"

namespace elapid {
namespace {

/// One of the transactions of a lost update, with its read and its write.
struct Updater {
  ActorPart actor = {};
  std::optional<std::uint32_t> read = {};
  std::optional<std::uint32_t> write = {};
};

Updater updater(TxnId txn, KeyId key, Story& story) {
  const EventRef event = representative_ref(story.history(), txn);
  const std::span<const Op> ops = shown_ops(story.history(), event);
  const auto begin = ops.begin();
  const auto read =
      std::find_if(begin, ops.end(), [&](Op op) { return op.is_read() && op.key() == key; });
  const auto write =
      std::find_if(read, ops.end(), [&](Op op) { return op.is_write() && op.key() == key; });
  const auto place = [&](auto mop) {
    return mop == ops.end() ? std::nullopt : std::optional(static_cast<std::uint32_t>(mop - begin));
  };
  const Updater updater = {story.actor(event), place(read), place(write)};
  for (const auto mop : {updater.read, updater.write}) {
    if (mop) {
      story.actor(event, Focus{*mop});
    }
  }
  return updater;
}

/// The reader read the version that the writer overwrote.
Arrow missed_write(const Updater& reader, const Updater& writer, ValuePart key) {
  return {.from = reader.actor.actor,
          .to = writer.actor.actor,
          .relation = Relation::kRw,
          .key = key.value,
          .from_mop = reader.read,
          .to_mop = writer.write};
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
  if (!evidence.values.empty()) {
    story.arrow({.from = a.actor,
                 .to = b.actor,
                 .relation = Relation::kWw,
                 .key = key.value,
                 .from_mop = story.write_of(aborted, evidence.key, evidence.values.front()),
                 .to_mop = story.write_of(committed, evidence.key, evidence.values.back())});
  }
}

void tell(const LostUpdateEvidence& evidence, Story& story) {
  const EventRef first = representative_ref(story.history(), evidence.txns.front());
  const Op read = shown_ops(story.history(), first)[evidence.mop];
  const ValuePart key = story.key(evidence.key);
  std::vector<Updater> updaters;
  for (const TxnId txn : evidence.txns) {
    updaters.push_back(updater(txn, evidence.key, story));
  }
  story.claim("{} each read key {} = {}, and then wrote key {}.",
              Story::series(updaters, [](const Updater& one) { return one.actor; }), key,
              story.value(read), key);
  story.arrow(missed_write(updaters.front(), updaters.back(), key));
  story.claim("However, only one of these writes can directly follow that version: lost updates!");
  story.arrow(missed_write(updaters.back(), updaters.front(), key));
}

}  // namespace elapid
