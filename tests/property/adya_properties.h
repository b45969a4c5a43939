// What must be true of the answers of the engine for forbidden cycles.
#pragma once

#include <string>

#include "tests/property/for_all.h"

namespace elapid {

/// At each level that forbids cycles: the answer is what the definition says, and the certifier
/// accepts its evidence. Nothing is unknown but lists that show an element that was appended twice.
[[nodiscard]] std::string contradicts_shapes(const TinyHistory& tiny, Tally& tally);

/// The same of the session traces that say what a history of registers says.
[[nodiscard]] std::string contradicts_shapes_as_trace(const TinyHistory& tiny, Tally& tally);

/// No answer is unknown, and the certifier accepts its evidence. For histories too large for the
/// definition.
[[nodiscard]] std::string leaves_shapes_open(const TinyHistory& tiny, Tally& tally);

}  // namespace elapid
