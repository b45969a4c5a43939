// Shortens operations to the part that matters for one piece of evidence: the micro-operations that
// carry it, the elements of a long list around the one in question, and of the rows found those
// in question. Long names are cut in all of them: see shown_name().
#pragma once

#include <span>
#include <string>

#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// `[… 952 953 954 …]`: up to two neighbours on either side of each element in focus; short lists
/// whole.
[[nodiscard]] std::string elided_list(const History& history, std::span<const ValueId> list,
                                      std::span<const ValueId> focus);

/// `[1 2 3]`
[[nodiscard]] std::string whole_list(const History& history, std::span<const ValueId> list);

/// The event's map, without numbers that its source does not know, in which :value keeps only the
/// operations in focus, with `…` for those left out.
[[nodiscard]] std::string elided_event(const History& history, EventRef event,
                                       const EventFieldsFn& fields, std::span<const Focus> focus);

/// The same map with all operations.
[[nodiscard]] std::string whole_event(const History& history, EventRef event,
                                      const EventFieldsFn& fields);

}  // namespace elapid
