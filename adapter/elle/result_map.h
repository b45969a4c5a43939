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
/// key a line, without a newline at the end. Of Elle's keys a valid verdict has the first
/// alone, and under elle_compat is exactly `{:valid? true}`. As JSON the same with keywords as
/// strings without their colon, lists and sets as arrays. Linear in the evidence printed; `fields`
/// is called for every event printed.
///
/// Anomalies take up to `max_bytes`, of which each type has its share: entries that do not fit are
/// left out whole, and `:elapid/omitted {:G1a 12}` counts them. Of longer texts, such as the lost
/// elements of a set, the beginning remains.
[[nodiscard]] std::string result_map(
    const History& history, const Verdict& verdict, Syntax syntax, const EventFieldsFn& fields = {},
    std::size_t max_bytes = std::numeric_limits<std::size_t>::max());

}  // namespace elapid
