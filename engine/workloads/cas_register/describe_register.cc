#include "engine/workloads/cas_register/describe_register.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "engine/linearize/register.h"

namespace elapid {

namespace {

using linearize::Operation;
using linearize::RegisterF;
using linearize::RegisterFlaw;

/// What the operation did, in the past tense.
Phrase deed(const Operation& operation) {
  switch (linearize::register_f(operation)) {
    case RegisterF::kRead:
      return phrase("read {}", ValuePart{operation.result});
    case RegisterF::kWrite:
      return phrase("wrote {}", ValuePart{operation.argument});
    case RegisterF::kCas:
      return phrase("replaced {} by {}", ValuePart{operation.argument},
                    ValuePart{operation.result});
    case RegisterF::kFailedCas:
      return phrase("found something else than {}", ValuePart{operation.argument});
  }
  return {};
}

class RegisterStory {
 public:
  RegisterStory(const History& history, const linearize::Object& object,
                const linearize::RegisterJudgement& judgement, const linearize::RegisterCore& core)
      : history_(history), object_(object), judgement_(judgement), core_(core) {}

  Description tell() {
    description_.name = "not-linearizable";
    description_.gloss = "no order of the operations explains them";
    switch (judgement_.flaw) {
      case RegisterFlaw::kNoOrder:
        tell_end();
        break;
      case RegisterFlaw::kNeverWritten:
        say(phrase("{} {}.", actor(0), deed(operation(0))));
        say(
            phrase("However, the register was not {} at first, and no operation made it that: not "
                   "linearizable!",
                   ValuePart{linearize::register_f(operation(0)) == RegisterF::kRead
                                 ? operation(0).result
                                 : operation(0).argument}));
        break;
      case RegisterFlaw::kReplacedTwice:
        tell_deeds();
        say(
            phrase("However, the register got that value only once, so only one of them can have "
                   "found it: not linearizable!"));
        break;
      case RegisterFlaw::kRing:
        tell_ring();
        break;
      case RegisterFlaw::kAgainstTime:
        tell_deeds();
        say(phrase("In every order {} comes after {}.", actor(1), actor(0)));
        say(phrase("However, {} had completed before {} was invoked: not linearizable!", actor(1),
                   actor(0)));
        break;
      case RegisterFlaw::kOverlap:
      case RegisterFlaw::kEnclosed:
        tell_zones();
        break;
      case RegisterFlaw::kNone:
        break;
    }
    return std::move(description_);
  }

 private:
  [[nodiscard]] const Operation& operation(std::size_t i) const {
    return object_.operations[judgement_.operations[i]];
  }

  [[nodiscard]] bool is_cas(std::size_t i) const {
    return linearize::register_f(operation(i)) == RegisterF::kCas;
  }

  [[nodiscard]] bool is_beginning(std::size_t i) const {
    return judgement_.operations[i] == linearize::kBeginning;
  }

  /// The operation as an actor. It becomes an actor at its first mention. If a phrase has two new
  /// actors, the caller mentions the first one before, since the order of evaluation of arguments
  /// is undefined.
  ActorPart actor(std::size_t i, bool with_place = false) {
    return actor(operation(i), with_place);
  }

  ActorPart actor(const Operation& operation, bool with_place = false) {
    const EventRef event = representative_ref(history_, operation.txn);
    const auto found = std::ranges::find(description_.actors, event, &Actor::event);
    const auto number = static_cast<std::size_t>(found - description_.actors.begin());
    if (found == description_.actors.end()) {
      description_.actors.push_back({.event = event, .focus = {Focus{.mop = 0}}});
    }
    return {.actor = number, .with_place = with_place};
  }

  void say(Phrase phrase) { description_.claims.push_back({.says = std::move(phrase)}); }

  void tell_end() {
    say(phrase("{} {}.", actor(0, true), deed(operation(0))));
    if (core_.places.size() > 1) {
      tell_core();
    }
    say(
        phrase("However, no order of the operations invoked before {} completed explains that: not "
               "linearizable!",
               actor(0)));
  }

  void tell_core() {
    SeriesPart all;
    std::vector<Claim> steps;
    for (const std::uint32_t place : core_.places) {
      const Operation& one = object_.operations[place];
      all.items.push_back(as_phrase(actor(one)));
      steps.push_back({.says = phrase("{} {}.", actor(one), deed(one))});
    }
    say(core_.is_from_beginning
            ? phrase("{} have no order, whichever other operations took effect:", all)
            : phrase("{} have no order, for any value of the register before them and any other "
                     "operations between them:",
                     all));
    description_.claims.back().steps = std::move(steps);
  }

  /// Says what up to four of the operations did, one sentence for each.
  void tell_deeds() {
    for (std::size_t i = 0; i < std::min<std::size_t>(judgement_.operations.size(), 4); ++i) {
      say(phrase("{} {}.", actor(i), deed(operation(i))));
    }
  }

  void tell_ring() {
    tell_deeds();
    say(
        phrase("However, each of these needs a value that another one writes, and none of the "
               "values was there first: not linearizable!"));
  }

  /// `from the completion of T1 to the invocation of T2 the register was 1`
  Phrase stretch(std::size_t from, std::size_t to) {
    if (!is_beginning(from)) {
      actor(from);  // mentioned before `to`
    }
    if (is_beginning(from)) {
      return phrase(
          "From the beginning to the invocation of {}, which {}, no other value can come "
          "between",
          actor(to), deed(operation(to)));
    }
    return phrase(
        "From the completion of {}, which {}, to the invocation of {}, which {}, no other "
        "value can come between",
        actor(from), deed(operation(from)), actor(to), deed(operation(to)));
  }

  void tell_zones() {
    say(phrase("{}.", stretch(0, 1)));
    if (judgement_.flaw == RegisterFlaw::kOverlap) {
      say(phrase("{}.", stretch(2, 3)));
      say(phrase("However, these times overlap: not linearizable!"));
    } else if (judgement_.operations[2] == judgement_.operations[3]) {
      say(
          phrase("However, {}, which {}, was invoked and completed within that time: not "
                 "linearizable!",
                 actor(2), deed(operation(2))));
    } else {
      say(phrase(
          "However, {}, which {}, completed within that time, and {}, which {} and is of the "
          "same {}, was invoked within it: not linearizable!",
          actor(3), deed(operation(3)), actor(2), deed(operation(2)),
          is_cas(2) || is_cas(3) ? "chain of compare-and-sets" : "value"));
    }
  }

  const History& history_;
  const linearize::Object& object_;
  const linearize::RegisterJudgement& judgement_;
  const linearize::RegisterCore& core_;
  Description description_;
};

}  // namespace

Description describe_register(const History& history, const linearize::Object& object,
                              const linearize::RegisterJudgement& judgement,
                              const linearize::RegisterCore& core) {
  return RegisterStory(history, object, judgement, core).tell();
}

}  // namespace elapid
