// What must be true of the search for orders, at every level. Each function answers what is wrong
// with its answers on a history, or nothing.
#pragma once

#include <cstddef>
#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/property/properties.h"

namespace elapid {

/// They are those of the definitions (oracle.h), and witnesses survive certification. Unknown is no
/// answer.
[[nodiscard]] std::string search_contradicts_oracle(const TinyHistory& history, Tally& tally);

/// The same of the session traces that say what a history of registers says: with an initial value
/// or a recorded initial transaction, with times or without.
[[nodiscard]] std::string search_contradicts_oracle_as_trace(const TinyHistory& history,
                                                             Tally& tally);

/// They are the solver's, but for those that take more than a few thousand states, which are
/// counted. For histories that are too large for the oracle.
[[nodiscard]] std::string search_contradicts_solver(const TinyHistory& history, Tally& tally,
                                                    std::size_t& given_up);

}  // namespace elapid
