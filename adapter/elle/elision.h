// Shortens operations to the part that matters for one piece of evidence: the relevant
// micro-operations, the elements of a long list near the relevant one, and the relevant rows of a
// read. All long names are cut: see shown_name().
#pragma once

#include <span>
#include <string>

#include "adapter/elle/event_text.h"
#include "engine/ir/history.h"
#include "engine/verdict/description.h"

namespace elapid {

/// `[… 952 953 954 …]`: each element in focus, with up to two neighbours on either side; short
/// lists are whole.
[[nodiscard]] std::string elided_list(const History& history, std::span<const ValueId> list,
                                      std::span<const ValueId> focus);

/// `[1 2 3]`
[[nodiscard]] std::string whole_list(const History& history, std::span<const ValueId> list);

/// The event's map, without numbers that its source lacks. Its :value has only the operations in
/// focus, and `…` for the others.
[[nodiscard]] std::string elided_event(const History& history, EventRef event,
                                       const EventFieldsFn& fields, std::span<const Focus> focus);

/// The same map with all operations.
[[nodiscard]] std::string whole_event(const History& history, EventRef event,
                                      const EventFieldsFn& fields);

}  // namespace elapid
