// The answer of an engine of a type about the operations of one object, with its evidence.
//
//   enqueue 1, dequeue 1    linearizable, in the order {0, 1}
//   dequeue 7               not linearizable: kNeverAdded, at {0}
//
// Places are indices into the Operations that the engine was given.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

/// Why no order explains the operations. Each comment says which operations `places` holds.
enum class Pattern : std::uint8_t {
  kNone,
  kNoOrder,             ///< every order ends before this operation, or before a second one
  kNeverAdded,          ///< a remove or a read of a value that no operation added
  kRemovedBeforeAdded,  ///< a remove or a read that returned before its add was invoked; the add
  kRemovedTwice,        ///< two removes of the same value
  kOvertaken,           ///< adds of a and b, remove of b, remove of a if there is one: a was first
  kNotEmpty,     ///< a remove that found nothing; adds of values that were inside all that time
  kPassedOver,   ///< the remove of a value; adds of values before it that were inside all that time
  kNoOutermost,  ///< a push and perhaps a pop: between them the stack is never empty
  kTwoOwners,    ///< two acquires: both hold the lock at one instant
  kNotHeld,      ///< a release of a lock that its owner does not hold
  kNotReleased,  ///< an acquire of a held lock, and no release can come before it
  kOutOfRange,   ///< a read of a number below or above all numbers that the adds allow
  kIncomparable,  ///< two reads: each lacks a value that the other one has
  kAgainstTime,   ///< the first must precede the second, but was invoked after the second returned
  kSameResult,    ///< two operations with results that must differ, and do not
  kGap,           ///< a result that requires other results, which no operation can have had
};

struct Judgement {
  Answer answer = Answer::kUnknown;
  /// If linearizable: every completed operation once; operations without a return at most once.
  std::vector<std::uint32_t> order;
  /// If not linearizable: the reason, and one to four operations that show it.
  Pattern pattern = Pattern::kNone;
  /// For kUnknown: the operation at whose return the search ended. There is an order up to there.
  std::vector<std::uint32_t> places;
};

[[nodiscard]] inline Judgement linearizable(std::vector<std::uint32_t> order) {
  return {Answer::kLinearizable, std::move(order), Pattern::kNone, {}};
}

[[nodiscard]] inline Judgement refuted(Pattern pattern, std::vector<std::uint32_t> places) {
  return {Answer::kNotLinearizable, {}, pattern, std::move(places)};
}

[[nodiscard]] inline Judgement undecided(std::uint32_t place) {
  return {Answer::kUnknown, {}, Pattern::kNone, {place}};
}

/// The default limit of work for engines that search; the same on every machine.
inline constexpr std::uint64_t kDefaultWork = 20'000'000;

/// A first pass may do this much work an operation, unless a request allows less in all.
inline constexpr std::uint64_t kWorkOfEach = 500;

/// The reason in words. `#1` to `#4` stand for the operations at the places. Requires the answer
/// kNotLinearizable.
[[nodiscard]] std::string_view reason_in_words(const Judgement& judgement);

/// A sentence that says why no order explains the operations. `text` gives the text of an
/// operation, as "dequeue 7 (line 12)". Requires the answer kNotLinearizable.
[[nodiscard]] std::string sentence(const Judgement& judgement,
                                   const std::function<std::string(std::uint32_t)>& text);

}  // namespace elapid::linearize
