// All saturable levels, and which of them imply which.
#pragma once

#include <array>
#include <string>

#include "engine/levels/models.h"

namespace elapid {

/// None comes before one that implies it.
inline constexpr std::array<OrderLevel, 14> kSaturableLevels = {{
    {Visibility::kCausal, true, false},
    {Visibility::kCausal, false, false},
    {Visibility::kReadAtomic, true, false},
    {Visibility::kReadAtomic, false, false},
    {Visibility::kReadCommitted, true, false},
    {Visibility::kReadCommitted, false, false},
    {Visibility::kPram, true, false},
    {Visibility::kWritesFollowReads, true, false},
    {Visibility::kMonotonicWrites, true, false},
    {Visibility::kMonotonicReads, true, false},
    {Visibility::kReadYourWrites, true, false},
    {Visibility::kNothing, true, true},
    {Visibility::kNothing, true, false},
    {Visibility::kNothing, false, false},
}};

/// Whether all histories that satisfy `strong` satisfy `weak`, by the definitions.
constexpr bool saturable_implies(OrderLevel strong, OrderLevel weak) {
  const auto is = [](OrderLevel level, Visibility visibility) {
    return level.visibility == visibility;
  };
  if (strong.sessions < weak.sessions || strong.real_time < weak.real_time) {
    return false;
  }
  if (is(weak, Visibility::kNothing)) {
    // Guarantees bind no order of all transactions of a session.
    return strong.visibility <= Visibility::kReadCommitted || is(strong, Visibility::kNothing) ||
           !weak.sessions;
  }
  if (is(strong, Visibility::kCausal)) {
    return strong.sessions || weak.visibility <= Visibility::kReadCommitted;
  }
  if (is(strong, Visibility::kPram)) {
    return is(weak, Visibility::kPram) || is(weak, Visibility::kMonotonicWrites) ||
           is(weak, Visibility::kMonotonicReads) || is(weak, Visibility::kReadYourWrites);
  }
  if (is(strong, Visibility::kReadAtomic)) {
    return is(weak, Visibility::kReadAtomic) || is(weak, Visibility::kReadCommitted) ||
           is(weak, Visibility::kReadYourWrites);
  }
  return is(strong, weak.visibility);
}

/// As `causal with sessions`.
inline std::string saturable_text(OrderLevel level) {
  constexpr std::array<const char*, 9> kNames = {
      "causal",           "read-atomic",     "read-committed",   "PRAM",   "writes-follow-reads",
      "monotonic-writes", "monotonic-reads", "read-your-writes", "nothing"};
  std::string text = kNames.at(static_cast<std::size_t>(level.visibility) -
                               static_cast<std::size_t>(Visibility::kCausal));
  text += level.sessions ? " with sessions" : "";
  return text + (level.real_time ? " and real time" : "");
}

}  // namespace elapid
