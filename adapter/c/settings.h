// The options of a checker, as a caller writes them, and the check request made of them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/door/door.h"

namespace elapid {

/// As written, by the names of the options that are set.
using Settings = std::map<std::string, std::string, std::less<>>;

/// Sets the option of this name. Error: kUsage for a name that there is not, or a value that the
/// option cannot have; `settings` are then as they were.
[[nodiscard]] Status set(Settings& settings, std::string_view name, std::string_view value);

/// What they ask for. Error: kUsage for options that do not go together.
[[nodiscard]] Result<CheckJob> job_of(const Settings& settings);

}  // namespace elapid
