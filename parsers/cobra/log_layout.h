// Which variant of the record layout a log has.
#ifndef ELAPID_PARSERS_COBRA_LOG_LAYOUT_H_
#define ELAPID_PARSERS_COBRA_LOG_LAYOUT_H_

#include <cstddef>
#include <optional>
#include <string_view>

#include "parsers/cobra/log_record.h"

namespace elapid::cobra {

/// As much of a log as find_layout() wants to see, if there is so much.
inline constexpr std::size_t kLayoutTrialBytes = std::size_t{1} << 16;

/// The layout of a log with this head. There are times unless the byte behind the first id is more
/// than the highest of a time can be (`has_times`: the answer, if it is known); keys are hashes
/// unless the log can be read further if they are texts.
Layout find_layout(std::string_view head, std::optional<bool> has_times);

}  // namespace elapid::cobra

#endif  // ELAPID_PARSERS_COBRA_LOG_LAYOUT_H_
