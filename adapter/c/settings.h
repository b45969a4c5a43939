// The options of a checker as a caller writes them, and the check request made of them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "parsers/door/door.h"

namespace elapid {

/// The values as written, by the names of the options.
using Settings = std::map<std::string, std::string, std::less<>>;

/// Sets the option of this name. Error: kUsage for an unknown name or an impossible value;
/// `settings` then stay as they were.
[[nodiscard]] Status set(Settings& settings, std::string_view name, std::string_view value);

/// The check that the settings ask for. Error: kUsage for options that contradict each other.
[[nodiscard]] Result<CheckJob> job_of(const Settings& settings);

}  // namespace elapid
