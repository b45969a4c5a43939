// What must be true of the solver's answers at every level. Each function answers what is wrong
// with those on a history, or nothing.
#pragma once

#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/property/properties.h"

namespace elapid {

/// They are those of the definitions (oracle.h) and survive certification. Unknown is no answer.
[[nodiscard]] std::string contradicts_oracle(const TinyHistory& history, Tally& tally);

/// The same of the session traces that say what a history of registers says: with an initial value
/// or a recorded initial transaction, with times or without.
[[nodiscard]] std::string contradicts_oracle_as_trace(const TinyHistory& history, Tally& tally);

/// The same where transactions differ in their levels: of all kinds, with session order or real
/// time for some (holds_in_mix()). What is left open, with a reason, is counted.
[[nodiscard]] std::string contradicts_oracle_with_mixed_levels(const TinyHistory& history,
                                                               Tally& tally,
                                                               std::size_t& left_open);

/// What a mix of named levels says of single levels (below_mix(), above_mix()) is what their
/// engines say.
[[nodiscard]] std::string contradicts_bounds_of_mix(const TinyHistory& history, Tally& tally);

/// An order in real time that is found is one, and some is there wherever it is found; where some
/// is there and none is found, that is counted.
[[nodiscard]] std::string contradicts_real_time(const TinyHistory& history, Tally& tally,
                                                std::size_t& missed);

/// The definition of mixes, of one level for all, is the level's own.
[[nodiscard]] std::string contradicts_definition_of_one_level(const TinyHistory& history,
                                                              Tally& tally);

/// No history that violates a mix satisfies it once a transaction's level is raised.
[[nodiscard]] std::string is_worse_at_lower_levels(const TinyHistory& history, Tally& tally);

/// The same of registers under each assumption about keys, which bind the order.
[[nodiscard]] std::string contradicts_oracle_with_keys(const TinyHistory& history, Tally& tally);

/// A refutation names no transaction that could be left out: without it, those that it names
/// satisfy the level, by the oracle, or are refuted by a proof that rules out less.
[[nodiscard]] std::string says_too_much(const TinyHistory& history, Tally& tally);

/// They survive certification, and what satisfies a level satisfies all that it implies. For
/// histories that are too large for the oracle.
[[nodiscard]] std::string contradicts_itself(const TinyHistory& history, Tally& tally);

/// They remain when keys, values and sessions get other names.
[[nodiscard]] std::string depends_on_names(const TinyHistory& history);

}  // namespace elapid
