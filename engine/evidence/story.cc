#include "engine/evidence/story.h"

#include <algorithm>

#include "engine/evidence/gloss.h"

namespace elapid {

std::string counted(std::uint64_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

ActorPart Story::actor(EventRef event, std::optional<Focus> focus) {
  const std::uint64_t id = std::uint64_t{event.txn.value} << 1 | static_cast<unsigned>(event.kind);
  const auto [place, is_new] = places_.try_emplace(id, actors_.size());
  if (is_new) {
    actors_.push_back({.event = event});
  }
  if (focus) {
    actors_[place->second].focus.push_back(*focus);
  }
  return {.actor = place->second};
}

ActorPart Story::actor(TxnId txn, std::int32_t mop, ValueId element) {
  const EventRef event = representative_ref(history_, txn);
  const bool is_shown = mop >= 0 && shown_ops(history_, event).data() == history_.ops(txn).data();
  return actor(event, is_shown ? std::optional(Focus{static_cast<std::uint32_t>(mop), element})
                               : std::nullopt);
}

ActorPart Story::witness(const ListRead& read, std::span<const ValueId> elements) {
  const std::size_t known = actors_.size();
  ActorPart part = actor(read.txn);
  if (part.actor == known) {
    actors_.back().is_witness = true;
  }
  for (const ValueId element : elements) {
    actor(read.txn, static_cast<std::int32_t>(read.mop), element);
  }
  part.with_place = true;
  return part;
}

void Story::focus_on_write(EventRef event, KeyId key, ValueId element) {
  const std::span<const Op> ops = shown_ops(history_, event);
  bool written = false;
  for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
    if (ops[mop].is_write() && ops[mop].key() == key) {
      written = written || ops[mop].value() == element;
      if (written) {
        actor(event, Focus{mop});
      }
    }
  }
}

std::optional<std::uint32_t> Story::write_of(EventRef event, KeyId key, ValueId value) const {
  const std::span<const Op> ops = shown_ops(history_, event);
  const auto found = std::ranges::find_if(ops, [&](Op op) {
    return op.is_write() && op.key() == key && (value.is_none() || op.value() == value);
  });
  return found == ops.end() ? std::nullopt
                            : std::optional(static_cast<std::uint32_t>(found - ops.begin()));
}

Phrase Story::value(Op op, std::span<const ValueId> focus) const {
  return op.kind() == OpKind::kReadList ? as_phrase(list(history_.elements(op), focus))
                                        : as_phrase(ValuePart{op.value()});
}

ListPart Story::list(std::span<const ValueId> elements, std::span<const ValueId> focus) {
  return {.elements = {elements.begin(), elements.end()}, .focus = {focus.begin(), focus.end()}};
}

Description Story::take() {
  return {.name = std::string(name(type_)),
          .gloss = gloss_.empty() ? elapid::gloss(type_) : std::move(gloss_),
          .actors = std::move(actors_),
          .claims = std::move(claims_)};
}

}  // namespace elapid
