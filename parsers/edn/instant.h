// The two tagged literals with a meaning of their own: #inst and #uuid.
#pragma once

#include <string>
#include <string_view>

namespace elapid::edn {

/// Appends the instant of an RFC 3339 timestamp, or of a prefix of one down to the year: in UTC,
/// cut to milliseconds, as Clojure prints it (`2020-01-01T00:00:00.000-00:00`). The calendar is
/// Gregorian throughout. False, with `out` unchanged, if the text is no timestamp.
bool append_instant(std::string_view timestamp, std::string& out);

/// Appends a UUID in lower case. False, with `out` unchanged, if the text is not 8-4-4-4-12 hex
/// digits.
bool append_uuid(std::string_view text, std::string& out);

}  // namespace elapid::edn
