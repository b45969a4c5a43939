// The result map of a check: Elle's keys in Elle's order, then Elapid's own.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "adapter/elle/document_writer.h"
#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// `{:valid? false :anomaly-types (…) :anomalies {…} :not #{…} :also-not #{…} :elapid/… …}`, one
/// key a line, without a newline at the end. Of Elle's keys a valid verdict has only the first;
/// under elle_compat it is exactly `{:valid? true}`. In JSON keywords are strings without their
/// colon, lists and sets are arrays. Linear in the printed evidence; `fields` is called for every
/// printed event.
///
/// Anomalies take up to `max_bytes`, shared by the types. Entries that do not fit are left out
/// whole, and `:elapid/omitted {:G1a 12}` counts them. Longer texts, such as the lost elements of a
/// set, keep their beginning.
[[nodiscard]] std::string result_map(
    const History& history, const Verdict& verdict, Syntax syntax, const EventFieldsFn& fields = {},
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace elapid
