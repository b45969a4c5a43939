// What must be true of answers at the saturable levels. Each function answers what is wrong with
// those on a history, or nothing.
#pragma once

#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/property/properties.h"

namespace elapid {

/// They are those of the axioms (oracle/axioms.h), survive certification, and follow from one
/// another where the definitions do; serializability and snapshot isolation with session order
/// imply causal consistency.
[[nodiscard]] std::string contradicts_axioms(const TinyHistory& history, Tally& tally);

/// The same of the session traces that say what a history of registers says.
[[nodiscard]] std::string contradicts_axioms_as_trace(const TinyHistory& history, Tally& tally);

/// What refutes causal consistency without a choice refutes, certified, the levels of the solver.
[[nodiscard]] std::string refutes_causality_wrongly(const TinyHistory& history, Tally& tally);

/// They remain when keys, values and sessions get other names.
[[nodiscard]] std::string depends_on_names_at_weak_levels(const TinyHistory& history);

}  // namespace elapid
