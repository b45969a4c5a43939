// The names of timestamp axioms, of origins of values, and of violations, in results and
// events.
#pragma once

#include <array>
#include <string_view>

#include "engine/levels/models.h"
#include "engine/verdict/evidence.h"

namespace elapid {

/// In the order of TimestampAxiom.
inline constexpr std::array<std::string_view, kTimestampAxiomCount> kTimestampAxiomNames = {
    "int", "ext", "noconflict", "session", "real-time", "start-after-commit"};

/// In the order of ReadOrigin.
inline constexpr std::array<std::string_view, kReadOriginCount> kReadOriginNames = {
    "before", "uncommitted", "after", "intermediate", "aborted", "own-future", "nowhere"};

/// An axiom's keyword, as `noconflict`.
[[nodiscard]] constexpr std::string_view name(TimestampAxiom axiom) {
  return kTimestampAxiomNames.at(static_cast<std::size_t>(axiom));
}

/// An origin's keyword, as `uncommitted`.
[[nodiscard]] constexpr std::string_view name(ReadOrigin origin) {
  return kReadOriginNames.at(static_cast<std::size_t>(origin));
}

/// The facts that decide the type of a violation.
struct TimestampViolationKind {
  TimestampAxiom axiom = TimestampAxiom::kInt;
  bool at_commit = false;                    ///< as TimestampEvidence::at_commit
  ReadOrigin origin = ReadOrigin::kNowhere;  ///< kExt
  /// kExt: the reader saw, in another key, a write of the transaction whose version it missed.
  /// kNoConflict: both transactions had read the same version of the key before they wrote it.
  bool depends = false;
};

/// The closest type. A violation that dependencies show only together with the order of time has a
/// name of Adya's thesis, 4.3. GSIa (interference) is a dependency on a transaction that had not
/// committed at the start. GSIb (missed effects) is an anti-dependency towards a transaction that
/// had committed; if the reader also depends on it, the type is G-single-item. Two writers that had
/// read one version are lost-update. For serial orders and session orders the type only says that a
/// cycle exists.
[[nodiscard]] AnomalyType anomaly_type(const TimestampViolationKind& violation);

}  // namespace elapid
