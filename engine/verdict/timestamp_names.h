// What the axioms of timestamps, the origins of values, and violations are called in results and
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

/// What decides the type of a violation.
struct TimestampViolationKind {
  TimestampAxiom axiom = TimestampAxiom::kInt;
  bool at_commit = false;                    ///< as TimestampEvidence::at_commit
  ReadOrigin origin = ReadOrigin::kNowhere;  ///< kExt
  /// kExt: the reader saw what the writer of the version that it missed left of some other key.
  /// kNoConflict: before they wrote it, both had read the same of the key.
  bool depends = false;
};

/// The type that fits closest. What no cycle of dependencies shows, but dependencies together with
/// the order of time, has the names of Adya's thesis, 4.3: GSIa (interference) is a dependency on
/// a transaction that had not committed at the start, GSIb (missed effects) an anti-dependency
/// towards one that had. It is G-single-item where the reader depends on that one, too, and
/// lost-update where both writers had read one version. Of serial orders and orders of sessions
/// there is but the existence of a cycle to be said.
[[nodiscard]] AnomalyType anomaly_type(const TimestampViolationKind& violation);

}  // namespace elapid
