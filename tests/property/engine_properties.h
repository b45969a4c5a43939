// What must be true of the whole check, whatever engine answers: its verdicts are the oracles'.
#pragma once

#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/property/properties.h"

namespace elapid {

/// On the ladder of each engine, and of some levels asked for alone: what is called valid or
/// invalid is so by the oracles, evidence survives certification, and nothing is left open that is
/// decided completely (of lists that show no element that was appended twice). Answers what is
/// wrong, or nothing.
[[nodiscard]] std::string contradicts_oracles(const TinyHistory& history, Tally& tally);

/// The same of a history of registers in which nil and 0 are both the initial state.
[[nodiscard]] std::string contradicts_oracles_with_initial(const TinyHistory& history,
                                                           Tally& tally);

/// The same for saturable levels, under an order of some transactions. Some share a place.
[[nodiscard]] std::string contradicts_oracles_in_given_order(const TinyHistory& history,
                                                             Tally& tally);

/// A list's elements may be nil, or the initial value of registers: the answers of the engines do
/// not depend on the names of elements. Returns the difference, or an empty text.
[[nodiscard]] std::string depends_on_names_of_elements(const TinyHistory& history);

}  // namespace elapid
