// What an engine of a type says about the operations of one object: an answer with its evidence.
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

/// Why no order explains the operations. What `places` has is said of each.
enum class Pattern : std::uint8_t {
  kNone,
  kNoOrder,             ///< every order ends before this operation
  kNeverAdded,          ///< a remove or a read of what no operation added
  kRemovedBeforeAdded,  ///< a remove or a read that returned before its add was invoked; the add
  kRemovedTwice,        ///< two removes of one value
  kOvertaken,    ///< adds of a and b, the remove of b, and that of a if there is one: a came first
  kNotEmpty,     ///< a remove that found nothing; adds of values that were inside all the while
  kPassedOver,   ///< the remove of a value; adds of values before it that were inside all the while
  kNoOutermost,  ///< a push and a pop, if there is one: between them a stack is never empty
  kTwoOwners,    ///< two acquires: both hold the lock at one instant
  kNotHeld,      ///< a release of a lock that its owner does not hold
  kNotReleased,  ///< an acquire of a lock that is held, and no release can come before
  kOutOfRange,   ///< a read of a number below or above all that the adds allow
  kIncomparable,  ///< two reads: each lacks what the other has
  kAgainstTime,   ///< the first must come before the second, and was invoked after it returned
  kSameResult,    ///< two operations whose results must differ
  kGap,           ///< a result that presumes others, which no operation can have had
};

struct Judgement {
  Answer answer = Answer::kUnknown;
  /// Linearizable: every completed operation once, open ones at most once.
  std::vector<std::uint32_t> order;
  /// Not linearizable: the reason, and one to four operations that show it.
  Pattern pattern = Pattern::kNone;
  /// Also of kUnknown: the operation up to whose return there is an order.
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

/// Work that an engine may do where it has to search; equal on every machine.
inline constexpr std::uint64_t kDefaultWork = 20'000'000;

/// A first pass may do as much for each operation, unless less than the usual is asked for.
inline constexpr std::uint64_t kWorkOfEach = 500;

/// The reason in words, in which `#1` to `#4` stand for the operations at the places. Requires an
/// answer of kNotLinearizable.
[[nodiscard]] std::string_view reason_in_words(const Judgement& judgement);

/// One sentence that says why no order explains the operations. `text` gives that of an operation,
/// as "dequeue 7 (line 12)". Requires an answer of kNotLinearizable.
[[nodiscard]] std::string sentence(const Judgement& judgement,
                                   const std::function<std::string(std::uint32_t)>& text);

}  // namespace elapid::linearize
