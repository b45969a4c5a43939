#include "engine/workloads/set_full/set_full_result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ir/nearly_sorted.h"

namespace elapid {

namespace {

using Outcome = ElementFate::Outcome;

constexpr std::size_t kMostWorst = 8;
constexpr std::size_t kMostTold = 25;  // of a type

bool is_slow(const ElementFate& fate) {
  return fate.outcome == Outcome::kStable && fate.latency.value_or(0) > 0;
}

std::string_view word_of(Outcome outcome) {
  return outcome == Outcome::kStable ? "stable" : outcome == Outcome::kLost ? "lost" : "never-read";
}

/// The elements that pass a test, as a list.
template <class Test>
ResultValue elements_that(const ElementFates& set, Test test) {
  std::vector<ResultValue> items;
  for (const ElementFate& fate : set.fates) {
    if (test(fate)) {
      items.push_back(ResultValue::of(fate.element));
    }
  }
  return ResultValue::of_items(ResultValue::Kind::kList, std::move(items));
}

ResultValue latency_value(const ElementFate& fate, Outcome outcome) {
  return fate.outcome == outcome && fate.latency ? ResultValue(*fate.latency) : ResultValue();
}

ResultValue event_value(TxnId txn, EventKind kind) {
  return txn.is_none() ? ResultValue() : ResultValue::event({.txn = txn, .kind = kind});
}

ResultValue fate_map(const ElementFate& fate) {
  return ResultValue::map({{"element", ResultValue::of(fate.element)},
                           {"outcome", ResultValue::keyword(std::string(word_of(fate.outcome)))},
                           {"stable-latency", latency_value(fate, Outcome::kStable)},
                           {"lost-latency", latency_value(fate, Outcome::kLost)},
                           {"known", event_value(fate.known, EventKind::kCompletion)},
                           {"last-absent", event_value(fate.last_absent, EventKind::kInvocation)}});
}

/// The elements that took longest to become stable. Among equals, the last elements come first.
ResultValue worst_ones(const ElementFates& set) {
  std::vector<const ElementFate*> slow;
  for (const ElementFate& fate : set.fates) {
    if (is_slow(fate)) {
      slow.push_back(&fate);
    }
  }
  std::ranges::reverse(slow);
  std::ranges::stable_sort(slow, std::greater(),
                           [](const ElementFate* fate) { return fate->latency; });
  std::vector<ResultValue> items;
  for (std::size_t i = 0; i < std::min(slow.size(), kMostWorst); ++i) {
    items.push_back(fate_map(*slow[i]));
  }
  return ResultValue::of_items(ResultValue::Kind::kList, std::move(items));
}

std::vector<std::int64_t> latencies_of(const ElementFates& set, Outcome outcome) {
  std::vector<std::int64_t> latencies;
  for (const ElementFate& fate : set.fates) {
    if (fate.outcome == outcome && fate.latency) {
      latencies.push_back(*fate.latency);
    }
  }
  sort_nearly_sorted(latencies);
  return latencies;
}

/// `{0 1, 0.5 3, 0.95 9, 0.99 9, 1 12}` of sorted latencies.
ResultValue quantiles(const std::vector<std::int64_t>& latencies) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kPoints = {
      {{"0", 0}, {"0.5", 0.5}, {"0.95", 0.95}, {"0.99", 0.99}, {"1", 1}}};
  ResultValue map = ResultValue::map({});
  for (const auto& [name, point] : kPoints) {
    const auto place =
        static_cast<std::size_t>(std::floor(static_cast<double>(latencies.size()) * point));
    map.add(ResultValue::form(std::string(name)), latencies[std::min(place, latencies.size() - 1)]);
  }
  return map;
}

ResultValue times_of(const std::vector<OddElement>& duplicated) {
  ResultValue map = ResultValue::map({});
  for (const OddElement& element : duplicated) {
    map.add(ResultValue::of(element.element), std::int64_t{element.times});
  }
  return map;
}

/// Describes the fates of elements in sentences.
class FateTeller {
 public:
  explicit FateTeller(const History& history) : history_(history) {}

  Description lost(const ElementFate& fate) {
    begin("lost", "elements that were added are missing in later reads");
    say_known(fate);
    actor({.txn = fate.last_absent});
    if (fate.last_present.is_none()) {
      say("However, {} began later, and did not find it: a lost element!", ActorPart{1});
    } else {
      actor({.txn = fate.last_present}, true);
      say("However, {} began later, also later than {}, the last read that found it, and did not "
          "find it: a lost element!",
          ActorPart{1}, ActorPart{2});
    }
    return std::move(description_);
  }

  Description stale(const ElementFate& fate) {
    begin("stale", "reads miss elements that had been added before they began");
    say_known(fate);
    actor({.txn = fate.last_absent});
    say("However, {} began later, and did not find it yet: a stale read!", ActorPart{1});
    return std::move(description_);
  }

  Description unexpected(const OddElement& element) {
    begin("unexpected", "elements were read that were never added");
    actor({.txn = element.read});
    say(element.added.is_none() ? "No operation tried to add {}."
        : element.was_refused   ? "Each add of {} failed."
                                : "No add of {} had begun yet.",
        ValuePart{element.element});
    say("However, {} found it in the set: an unexpected element!", ActorPart{0});
    return std::move(description_);
  }

  Description duplicated(const OddElement& element) {
    begin("duplicated", "a read shows an element of the set several times");
    actor({.txn = element.read});
    say("A set has each element once. However, {} shows {} more than once (" +
            std::to_string(element.times) + " times): a duplicated element!",
        ActorPart{0}, ValuePart{element.element});
    return std::move(description_);
  }

 private:
  void begin(std::string name, std::string gloss) {
    description_ = {.name = std::move(name), .gloss = std::move(gloss)};
  }

  void actor(EventRef event, bool is_witness = false) {
    description_.actors.push_back(
        {.event = event, .focus = {Focus{.mop = 0}}, .is_witness = is_witness});
  }

  template <class... Arguments>
  void say(std::string_view pattern, Arguments&&... arguments) {
    description_.claims.push_back({.says = phrase(pattern, std::forward<Arguments>(arguments)...)});
  }

  /// The first actor shows that the element was in the set.
  void say_known(const ElementFate& fate) {
    actor({.txn = fate.known});
    const bool is_add = history_.ops(fate.known).front().kind() == OpKind::kAppend;
    say(is_add ? "{} added {}, and was told that it had succeeded." : "{} found {} in the set.",
        ActorPart{0}, ValuePart{fate.element});
  }

  const History& history_;
  Description description_;
};

template <class All, class Test, class Tell>
void tell_first(const All& all, std::vector<Description>& out, Test test, Tell tell) {
  std::size_t told = 0;
  for (const auto& element : all) {
    if (told < kMostTold && test(element)) {
      out.push_back(tell(element));
      ++told;
    }
  }
}

}  // namespace

FateCounts count_fates(const ElementFates& set) {
  FateCounts counts;
  for (const ElementFate& fate : set.fates) {
    counts.lost += fate.outcome == Outcome::kLost ? 1 : 0;
    counts.stable += fate.outcome == Outcome::kStable ? 1 : 0;
    counts.never_read += fate.outcome == Outcome::kNeverRead ? 1 : 0;
    counts.slow += is_slow(fate) ? 1 : 0;
    counts.stale += fate.is_stale ? 1 : 0;
  }
  return counts;
}

std::vector<ResultEntry> set_full_entries(const ElementFates& set, bool is_jepsen) {
  const FateCounts counts = count_fates(set);
  const auto having = [&](Outcome outcome) {
    return elements_that(set, [=](const ElementFate& fate) { return fate.outcome == outcome; });
  };
  std::vector<ResultEntry> entries = {
      {"attempt-count", static_cast<std::int64_t>(set.fates.size())},
      {"stable-count", counts.stable},
      {"lost-count", counts.lost},
      {"lost", having(Outcome::kLost)},
      {"never-read-count", counts.never_read},
      {"never-read", having(Outcome::kNeverRead)},
      {"stale-count", counts.slow},
      {"stale", elements_that(set, is_slow)},
      {"worst-stale", worst_ones(set)}};
  for (const Outcome outcome : {Outcome::kStable, Outcome::kLost}) {
    const std::vector<std::int64_t> latencies = latencies_of(set, outcome);
    if (!latencies.empty()) {
      entries.push_back({std::string(word_of(outcome)) + "-latencies", quantiles(latencies)});
    }
  }
  const std::vector<OddElement> duplicated = is_jepsen ? std::vector<OddElement>() : set.duplicated;
  entries.push_back({"duplicated-count", static_cast<std::int64_t>(duplicated.size())});
  entries.push_back({"duplicated", times_of(duplicated)});
  return entries;
}

std::vector<Description> set_full_findings(const History& history, const ElementFates& set,
                                           bool with_stale) {
  std::vector<Description> findings;
  FateTeller teller(history);
  const auto all = [](const OddElement& /*element*/) { return true; };
  tell_first(
      set.fates, findings, [](const ElementFate& fate) { return fate.outcome == Outcome::kLost; },
      [&](const ElementFate& fate) { return teller.lost(fate); });
  tell_first(
      set.fates, findings, [=](const ElementFate& fate) { return with_stale && fate.is_stale; },
      [&](const ElementFate& fate) { return teller.stale(fate); });
  tell_first(set.unexpected, findings, all,
             [&](const OddElement& element) { return teller.unexpected(element); });
  tell_first(set.duplicated, findings, all,
             [&](const OddElement& element) { return teller.duplicated(element); });
  return findings;
}

}  // namespace elapid
