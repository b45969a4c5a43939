// All levels that an order of events defines, and which of them imply which.
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "engine/levels/models.h"

namespace elapid {

/// None comes before one that implies it.
inline constexpr std::array<OrderLevel, 12> kOrderLevels = [] {
  std::array<OrderLevel, 12> levels = {};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    levels.at(i) = {static_cast<Visibility>(i / 4), (i & 2U) == 0, (i & 1U) == 0};
  }
  return levels;
}();

/// Whether all histories that satisfy `strong` satisfy `weak`.
constexpr bool implies(OrderLevel strong, OrderLevel weak) {
  return strong.visibility <= weak.visibility && strong.sessions >= weak.sessions &&
         strong.real_time >= weak.real_time;
}

/// As `snapshot with sessions and real time`.
inline std::string to_text(OrderLevel level) {
  constexpr std::array<const char*, 3> kNames = {"serial", "snapshot", "prefix"};
  std::string text = kNames.at(static_cast<std::size_t>(level.visibility));
  text += level.sessions ? " with sessions" : "";
  text += level.real_time ? (level.sessions ? " and real time" : " with real time") : "";
  return text;
}

/// The levels with a name of their own that hold, as `strong-ser session-ser ser`: `ser` without
/// orders, `session-ser` with sessions, `strong-ser` with real time too; `si` is snapshot
/// isolation, `pc` prefix consistency.
template <class Holds>
std::string names_of_levels(Holds holds) {
  std::string out;
  for (const OrderLevel level : kOrderLevels) {
    if (level.real_time && !level.sessions) {
      continue;
    }
    if (holds(level)) {
      constexpr std::array<const char*, 3> kNames = {"ser", "si", "pc"};
      out += out.empty() ? "" : " ";
      out += level.real_time ? "strong-" : level.sessions ? "session-" : "";
      out += kNames.at(static_cast<std::size_t>(level.visibility));
    }
  }
  return out;
}

}  // namespace elapid
