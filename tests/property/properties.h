// What must be true of every history. Each function answers what a history does wrong, or nothing.
#pragma once

#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/property/for_all.h"

namespace elapid {

/// At each level with a definition (oracle.h): what is called invalid is invalid, what is called
/// valid by a complete procedure is valid, and evidence survives certification.
[[nodiscard]] std::string contradicts_definitions(const TinyHistory& history, Tally& tally);

/// The same of the session traces that say what a history of registers says: with an initial value
/// or a recorded initial transaction, with times or without.
[[nodiscard]] std::string contradicts_definitions_as_trace(const TinyHistory& history,
                                                           Tally& tally);

/// At every model: if it is violated, so are all stronger ones.
[[nodiscard]] std::string contradicts_lattice(const TinyHistory& history);

/// The ladder says of each model what its own check says; and what is stronger does not hold where
/// what is weaker is violated.
[[nodiscard]] std::string contradicts_ladder(const TinyHistory& history);

/// The same of session traces, as above.
[[nodiscard]] std::string contradicts_ladder_as_trace(const TinyHistory& history);

/// Names of keys, values and processes do not matter, nor whether the history comes from memory,
/// EDN, JSON or a dump.
[[nodiscard]] std::string depends_on_notation(const TinyHistory& history);

}  // namespace elapid
