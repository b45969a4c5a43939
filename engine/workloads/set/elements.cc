#include "engine/workloads/set/elements.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "engine/ir/nearly_sorted.h"
#include "engine/workloads/value_order.h"

namespace elapid {

namespace {

/// Sorts the elements and removes repetitions. Integers in ids are sorted by id, which takes half
/// of the time.
void sort_once(const History& history, std::vector<ValueId>& elements) {
  if (std::ranges::all_of(elements, &ValueId::is_integer)) {
    sort_nearly_sorted(elements, {}, &ValueId::bits);
  } else {
    sort_nearly_sorted(elements, ValueOrder(history));
  }
  const auto rest = std::ranges::unique(elements);
  elements.erase(rest.begin(), rest.end());
}

std::vector<ValueId> common(const History& history, const std::vector<ValueId>& a,
                            const std::vector<ValueId>& b) {
  std::vector<ValueId> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both), ValueOrder(history));
  return both;
}

std::vector<ValueId> without(const History& history, const std::vector<ValueId>& a,
                             const std::vector<ValueId>& b) {
  std::vector<ValueId> rest;
  std::ranges::set_difference(a, b, std::back_inserter(rest), ValueOrder(history));
  return rest;
}

/// Compares the times of adds with the final read. Events are in the order of time.
class FinalRead {
 public:
  FinalRead(const History& history, TxnId read, bool ignores_time)
      : history_(history), read_(read), ignores_time_(ignores_time) {}

  /// Whether the add was tried, with any result. Jepsen counts invocations.
  [[nodiscard]] bool was_tried(TxnId add) const {
    return !ignores_time_ || history_.has_invocation(add);
  }

  /// Whether the read may show the add: it was tried, and began before the read ended. Jepsen
  /// ignores times.
  [[nodiscard]] bool may_show(TxnId add) const {
    return was_tried(add) && (ignores_time_ || !began_after(add));
  }

  /// Whether the read must show the add: it was acknowledged before the read began. Jepsen counts
  /// each acknowledgement.
  [[nodiscard]] bool must_show(TxnId add) const {
    return history_.committed(add) && (ignores_time_ || ended_before(add));
  }

  [[nodiscard]] bool began_after(TxnId add) const {
    return history_.has_invocation(add) &&
           history_.completion_id(read_) < history_.invocation_id(add);
  }

  [[nodiscard]] bool ended_before(TxnId add) const {
    return history_.has_completion(add) && history_.has_invocation(read_) &&
           history_.completion_id(add) < history_.invocation_id(read_);
  }

 private:
  const History& history_;
  TxnId read_;
  bool ignores_time_;
};

/// The element that the operations add; none() if they do not add.
ValueId added_by(std::span<const Op> ops) {
  return ops.size() == 1 && ops.front().kind() == OpKind::kAppend ? ops.front().value()
                                                                  : ValueId::none();
}

/// Among the adds of an element that pass `test`, the one with the earliest event, as `event_of`
/// says.
template <class Test, class EventOf>
std::optional<TxnId> earliest_add(const History& history, ValueId element, Test test,
                                  EventOf event_of) {
  std::optional<TxnId> earliest;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (added_by(history.ops(txn)) == element && test(txn) &&
        (!earliest || event_of(txn) < event_of(*earliest))) {
      earliest = txn;
    }
  }
  return earliest;
}

SeriesPart series(const std::vector<ValueId>& elements) {
  SeriesPart series;
  for (const ValueId element : elements) {
    series.items.push_back(as_phrase(ValuePart{element}));
  }
  return series;
}

Actor actor(const History& history, TxnId txn) {
  return {.event = representative_ref(history, txn), .focus = {Focus{.mop = 0}}};
}

Description lost(const History& history, TxnId read, const FinalRead& final_read,
                 const std::vector<ValueId>& elements) {
  Description description = {.name = "lost",
                             .gloss = "elements whose add was acknowledged are missing"};
  const TxnId add = *earliest_add(
      history, elements.front(), [&](TxnId txn) { return final_read.must_show(txn); },
      [&](TxnId txn) { return history.completion_id(txn); });
  description.actors = {actor(history, add), actor(history, read)};
  description.claims.push_back({.says = phrase("{} added {}, and was told that it had succeeded.",
                                               ActorPart{0}, ValuePart{elements.front()})});
  description.claims.push_back(
      {.says = phrase(final_read.ended_before(add)
                          ? "However, {} read the set afterwards, and did not find it: a lost "
                            "element!"
                          : "However, {}, the last read, did not find it: a lost element!",
                      ActorPart{1})});
  if (elements.size() > 1) {
    description.claims.push_back({.says = phrase("Lost are: {}.", series(elements))});
  }
  return description;
}

Description unexpected(const History& history, TxnId read, const FinalRead& final_read,
                       const std::vector<ValueId>& elements) {
  Description description = {.name = "unexpected",
                             .gloss = "elements were read that were never added"};
  description.actors = {actor(history, read)};
  description.actors.front().focus = {Focus{.mop = 0, .element = elements.front()}};
  const std::optional<TxnId> add = earliest_add(
      history, elements.front(), [&](TxnId txn) { return final_read.began_after(txn); },
      [&](TxnId txn) { return history.invocation_id(txn); });
  if (add) {
    description.actors.push_back(actor(history, *add));
    description.claims.push_back(
        {.says = phrase("{} began to add {} after {} had ended.", ActorPart{1},
                        ValuePart{elements.front()}, ActorPart{0})});
  } else {
    description.claims.push_back(
        {.says = phrase("No operation tried to add {}.", ValuePart{elements.front()})});
  }
  description.claims.push_back(
      {.says = phrase("However, {} found it in the set: an unexpected element!", ActorPart{0})});
  if (elements.size() > 1) {
    description.claims.push_back({.says = phrase("Unexpected are: {}.", series(elements))});
  }
  return description;
}

}  // namespace

SetElements sort_elements(const History& history, TxnId read, bool ignores_time) {
  const FinalRead final_read(history, read, ignores_time);
  SetElements set;
  std::vector<ValueId> may_show;
  std::vector<ValueId> must_show;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    const ValueId element = added_by(history.ops(txn));
    if (element.is_none()) {
      continue;
    }
    // To Jepsen a completion with another value acknowledges what was not tried.
    const auto invoked = ignores_time ? history.differing_invocation(txn) : std::nullopt;
    const ValueId tried = invoked ? added_by(*invoked) : element;
    if (final_read.was_tried(txn)) {
      set.attempted.push_back(tried);
    }
    if (final_read.may_show(txn)) {
      may_show.push_back(tried);
    }
    if (history.committed(txn)) {
      set.acknowledged.push_back(element);
    }
    if (final_read.must_show(txn)) {
      must_show.push_back(element);
    }
  }
  const std::span<const ValueId> shown = history.elements(history.ops(read).front());
  std::vector<ValueId> found(shown.begin(), shown.end());
  const std::vector<ValueId> attempted = set.attempted;
  sort_once(history, set.attempted);
  for (std::vector<ValueId>* elements : {&set.acknowledged, &may_show, &must_show, &found}) {
    if (*elements == attempted) {  // if no add failed
      *elements = set.attempted;
    } else {
      sort_once(history, *elements);
    }
  }
  set.ok = common(history, found, may_show);
  set.unexpected = without(history, found, may_show);
  set.lost = without(history, must_show, found);
  set.recovered = without(history, set.ok, set.acknowledged);
  return set;
}

std::string interval_text(const History& history, const std::vector<ValueId>& elements) {
  std::string text = "#{";
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const auto first = history.values().as_integer(elements[i]);
    std::size_t last = i;
    while (first && last + 1 < elements.size() &&
           history.values().as_integer(elements[last + 1]) ==
               *first + static_cast<std::int64_t>(last + 1 - i)) {
      ++last;
    }
    text += text.back() == '{' ? "" : " ";
    text += history.shown_text(elements[i]);
    text += last > i ? ".." + history.shown_text(elements[last]) : "";
    i = last;
  }
  return text + "}";
}

void describe_losses(const History& history, TxnId read, bool ignores_time, const SetElements& set,
                     std::vector<Description>& out) {
  const FinalRead final_read(history, read, ignores_time);
  if (!set.lost.empty()) {
    out.push_back(lost(history, read, final_read, set.lost));
  }
  if (!set.unexpected.empty()) {
    out.push_back(unexpected(history, read, final_read, set.unexpected));
  }
}

}  // namespace elapid
