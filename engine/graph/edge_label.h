// The meaning of an edge of a dependency graph: a set of relations as bits. The order of the bits
// is the order in which Elle prefers relations.
#pragma once

#include <cstdint>

namespace elapid {

using EdgeLabel = std::uint8_t;

inline constexpr EdgeLabel kWwEdge = 1U << 0;
inline constexpr EdgeLabel kWrEdge = 1U << 1;
inline constexpr EdgeLabel kRwEdge = 1U << 2;
// By predicates: the version read or overwritten is in a set that a predicate selected.
inline constexpr EdgeLabel kWwpEdge = 1U << 3;
inline constexpr EdgeLabel kWrpEdge = 1U << 4;
inline constexpr EdgeLabel kRwpEdge = 1U << 5;
inline constexpr EdgeLabel kProcessEdge = 1U << 6;
inline constexpr EdgeLabel kRealtimeEdge = 1U << 7;

}  // namespace elapid
