// Levels that forbid shapes of cycles of dependencies. No order of events defines them.
//
// A history satisfies such a level if there is a choice of version orders, of the writers that
// reads saw and of the indeterminate transactions that took effect such that no forbidden cycle
// exists. Definitions: Adya, thesis 1999, chapter 4; update-atomic: Cerone, Bernardi and Gotsman
// (CONCUR 2015), Liu et al. (FASE 2018).
#pragma once

#include <cstdint>
#include <optional>

#include "engine/levels/models.h"

namespace elapid {

/// A forbidden shape, beside cycles without anti-dependencies. ww leads from a writer to all later
/// writers of the key, and rw from a reader to all writers after the version that it read.
enum class CycleShape : std::uint8_t {
  kCursor,     ///< one rw, else ww, all on one key (G-cursor)
  kPair,       ///< two transactions, rw one way and ww or wr the other way
  kMonotonic,  ///< one rw from a read, and a path back to an operation not after it (G-monotonic)
  kSingle,     ///< one rw (G-single)
  kSnapshots,  ///< as kMonotonic, with any number of rw, each from such a read (G-MSR)
  kUpdates,    ///< any number of rw, and at most one transaction that only reads (G-update)
};

struct CycleLevel {
  CycleShape shape = CycleShape::kSingle;
  /// A weaker level that decides which reads count, and which writes they may have seen.
  OrderLevel reads = {Visibility::kNothing, false, false};
};

/// The shape that `model` forbids; nothing for models that are defined another way.
[[nodiscard]] std::optional<CycleLevel> cycle_level(Model model);

/// The type of the level's forbidden cycles with anti-dependencies; nothing if the level has no
/// type of its own.
[[nodiscard]] std::optional<AnomalyType> own_anomaly(CycleShape shape);

}  // namespace elapid
