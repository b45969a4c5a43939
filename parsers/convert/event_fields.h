// The fields of an event that is written, beyond its operations.
#ifndef ELAPID_PARSERS_CONVERT_EVENT_FIELDS_H_
#define ELAPID_PARSERS_CONVERT_EVENT_FIELDS_H_

#include <string_view>

#include "engine/ir/result.h"
#include "parsers/convert/events.h"

namespace elapid {

/// `invoke`, `ok`, `fail` or `info`.
[[nodiscard]] std::string_view name(EventType type);

/// :f and the fields that the history does not keep, read from the source again where there is one;
/// `:txn` and none otherwise. Error: the source's.
[[nodiscard]] Result<EventDetails> event_details(const Plan& plan, const PlannedEvent& event);

}  // namespace elapid

#endif  // ELAPID_PARSERS_CONVERT_EVENT_FIELDS_H_
