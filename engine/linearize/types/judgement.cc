#include "engine/linearize/types/judgement.h"

#include <cstddef>

namespace elapid::linearize {
namespace {

std::string_view words_of(Pattern pattern, std::size_t places) {
  switch (pattern) {
    case Pattern::kNone:
      return "";
    case Pattern::kNoOrder:
      return places == 2 ? "no order of the operations reaches the return of #1 and that of #2"
                         : "no order of the operations reaches the return of #1";
    case Pattern::kNeverAdded:
      return "#1 shows what no operation added";
    case Pattern::kRemovedBeforeAdded:
      return "#1 returned before #2 was invoked, which added what it shows";
    case Pattern::kRemovedTwice:
      return "#1 and #2 remove the same value, which was added once";
    case Pattern::kOvertaken:
      return places == 4
                 ? "#1 comes before #2, but #3 comes before #4"
                 : "#1 comes before #2, but #3 happened and the first value was not removed "
                   "before";
    case Pattern::kNotEmpty:
      return places == 1 ? "#1 found nothing, but at each instant of it the container held a value"
                         : "#1 found nothing, but at each instant of it the container held a "
                           "value, among others that of #2";
    case Pattern::kPassedOver:
      return places == 1 ? "#1 took its value, but at each instant of it the queue held one of "
                           "higher priority"
                         : "#1 took its value, but at each instant of it the queue held one of "
                           "higher priority, among others that of #2";
    case Pattern::kNoOutermost:
      return places == 1
                 ? "from the return of #1 on some value is always on the stack, but none of "
                   "them can have been pushed before the others and stayed on it"
                 : "from the return of #1 to the invocation of #2 some value is always on the "
                   "stack, but none of them can have been pushed before the others and "
                   "popped after them";
    case Pattern::kTwoOwners:
      return "#1 and #2 hold the lock at one instant";
    case Pattern::kNotHeld:
      return "#1 releases a lock that its owner does not hold";
    case Pattern::kNotReleased:
      return "#1 acquires a lock that is held, and no release can come before it";
    case Pattern::kOutOfRange:
      return "#1 shows a number that the adds before and beside it do not allow";
    case Pattern::kIncomparable:
      return "each of #1 and #2 lacks what the other shows";
    case Pattern::kAgainstTime:
      return places == 3 ? "#3 shows #1 without #2, but #1 was invoked after #2 returned"
                         : "#1 must come before #2, but was invoked after that returned";
    case Pattern::kSameResult:
      return "#1 and #2 have the same result";
    case Pattern::kGap:
      return "the result of #1 needs operations before it that did not happen";
  }
  return "";
}

}  // namespace

std::string_view reason_in_words(const Judgement& judgement) {
  return words_of(judgement.pattern, judgement.places.size());
}

std::string sentence(const Judgement& judgement,
                     const std::function<std::string(std::uint32_t)>& text) {
  const std::string_view words = reason_in_words(judgement);
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == '#') {
      out += text(judgement.places.at(static_cast<std::size_t>(words[++i] - '1')));
    } else {
      out += words[i];
    }
  }
  return out;
}

}  // namespace elapid::linearize
