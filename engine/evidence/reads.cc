// Single reads that are impossible in any order of transactions.
#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <utility>

#include "engine/evidence/kinds.h"

namespace elapid {
namespace {

/// G1a or G1b: `reader` read what `writer` wrote.
void tell_writer(const ReadEvidence& evidence, Op read, ActorPart reader, Story& story) {
  const ActorPart writer = story.actor(*evidence.writer);
  story.focus_on_write(*evidence.writer, read.key(), evidence.element);
  const ValuePart element = {evidence.element};
  const ValuePart key = story.key(read.key());
  const Phrase wrote = read.kind() == OpKind::kReadList
                           ? phrase("appended {} to key {}", element, key)
                           : phrase("set key {} to {}", key, element);
  if (story.type() == AnomalyType::kG1b) {
    story.claim("{} {}, and wrote key {} again later in the same transaction.", writer, wrote, key);
    story.claim("However, {} read key {} = {}: a read of an intermediate state!", reader, key,
                story.value(read, std::array{evidence.element}));
  } else {
    story.claim("{} {}, and was aborted.", writer, wrote);
    story.claim("However, {} read {} from key {}: a read of an aborted write!", reader, element,
                key);
  }
  story.arrow({.from = writer.actor,
               .to = reader.actor,
               .relation = Relation::kWr,
               .key = key.value,
               .from_mop = story.write_of(*evidence.writer, read.key(), evidence.element),
               .to_mop = evidence.mop});
}

/// The elements at which two lists part; none() where one has ended.
std::pair<ValueId, ValueId> first_difference(std::span<const ValueId> a,
                                             std::span<const ValueId> b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return {in_a == a.end() ? ValueId::none() : *in_a, in_b == b.end() ? ValueId::none() : *in_b};
}

}  // namespace

void tell(const ReadEvidence& evidence, Story& story) {
  const EventRef event = representative_ref(story.history(), evidence.reader);
  const Op read = shown_ops(story.history(), event)[evidence.mop];
  const ActorPart reader = story.actor(event, Focus{evidence.mop, evidence.element});
  const ValuePart element = {evidence.element};
  const ValuePart key = story.key(read.key());
  if (story.type() == AnomalyType::kFutureRead) {
    story.focus_on_write(event, read.key(), evidence.element);
    story.claim("{} wrote {} to key {}.", reader, element, key);
    story.claim("However, {} had read {} from key {} before: a read from the future!", reader,
                element, key);
  } else if (!evidence.writer) {
    story.claim("No transaction ever wrote {} to key {}, not even an aborted one.", element, key);
    story.claim("However, {} read {} from key {}: a read of a value from nowhere!", reader, element,
                key);
  } else {
    tell_writer(evidence, read, reader, story);
  }
}

void tell(const InternalEvidence& evidence, Story& story) {
  const EventRef event = representative_ref(story.history(), evidence.txn);
  const std::span<const Op> ops = shown_ops(story.history(), event);
  const Op read = ops[evidence.mop];
  const ActorPart reader = story.actor(event, Focus{evidence.mop});
  for (std::uint32_t mop = 0; mop < evidence.mop; ++mop) {
    if (ops[mop].key() == read.key()) {
      story.actor(event, Focus{mop});
    }
  }
  story.claim("By its own earlier operations, {} must read key {} as {}.", reader,
              story.key(read.key()), expectation(evidence.expected));
  story.claim("However, {} read {}: it contradicts itself!", reader, story.value(read));
}

void tell(const DuplicateElementsEvidence& evidence, Story& story) {
  const EventRef event = representative_ref(story.history(), evidence.txn);
  for (const auto& [element, count] : evidence.counts) {
    story.actor(event, Focus{evidence.mop, element});
  }
  story.claim("Each element is appended once, so no list can hold it twice.");
  story.claim("However, {} read key {} with {}: duplicate elements!",
              story.actor(event, Focus{evidence.mop}),
              story.key(shown_ops(story.history(), event)[evidence.mop].key()),
              Story::series(evidence.counts, [](const auto& duplicate) {
                return phrase("{} ({} times)", ValuePart{duplicate.first},
                              std::to_string(duplicate.second));
              }));
}

void tell(const IncompatibleOrderEvidence& evidence, Story& story) {
  const History& history = story.history();
  const Op first = shown_ops(history, evidence.first_reader)[evidence.first_mop];
  const Op second = shown_ops(history, evidence.second_reader)[evidence.second_mop];
  const auto [in_first, in_second] =
      first_difference(history.elements(first), history.elements(second));
  const ValuePart key = story.key(evidence.key);
  const ActorPart a = story.actor(evidence.first_reader, Focus{evidence.first_mop, in_first});
  const ActorPart b = story.actor(evidence.second_reader, Focus{evidence.second_mop, in_second});
  story.claim("{} read key {} = {}.", a, key, story.value(first, std::array{in_first}));
  story.claim(
      "However, {} read key {} = {}: neither is a prefix of the other, so no order of appends "
      "explains both!",
      b, key, story.value(second, std::array{in_second}));
}

Phrase expectation(const ExpectedRead& expected) {
  switch (expected.kind) {
    case ExpectedRead::Kind::kScalar:
      return as_phrase(ValuePart{expected.scalar});
    case ExpectedRead::Kind::kSuffix:
      return phrase("a list that ends in {}", Story::list(expected.elements));
    case ExpectedRead::Kind::kList:
      break;
  }
  return as_phrase(Story::list(expected.elements));
}

}  // namespace elapid
