// A text form of a History that round-trips, for tests and bug reports: one event a line, tab
// separated.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/history.h"
#include "engine/ir/result.h"

namespace elapid {

/// The history as text:
///
///   elapid-history 1
///   format  edn
///   file    history.edn
///   invoke  0  0  12  0:0   append :x 1   read :y nil
///   ok      0  1  15  0:80  append :x 1   list :y 3 4
///
/// Columns of an event: type, process (`-`: none), index, time (`-`: none), file:offset, then an
/// operation a field. `skip` lines stand for events of other processes. Tabs, newlines, spaces and
/// backslashes inside keys and values are escaped with a backslash.
[[nodiscard]] std::string dump(const History& history);

/// The history that dump() wrote. Error: kMalformed with the line.
[[nodiscard]] Result<History> parse_dump(std::string_view text);

}  // namespace elapid
