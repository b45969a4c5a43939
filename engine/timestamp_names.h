// What the axioms of timestamps, and the origins of values, are called in results and events.
#ifndef ELAPID_ENGINE_TIMESTAMP_NAMES_H_
#define ELAPID_ENGINE_TIMESTAMP_NAMES_H_

#include <array>
#include <string_view>

#include "engine/verdict.h"

namespace elapid {

/// In the order of TimestampAxiom.
inline constexpr std::array<std::string_view, kTimestampAxiomCount> kTimestampAxiomNames = {
    "int", "ext", "noconflict", "session", "real-time", "start-after-commit"};

/// In the order of ReadOrigin.
inline constexpr std::array<std::string_view, kReadOriginCount> kReadOriginNames = {
    "before", "uncommitted", "after", "intermediate", "aborted", "own-future", "nowhere"};

}  // namespace elapid

#endif  // ELAPID_ENGINE_TIMESTAMP_NAMES_H_
