// The events of `elapid watch` on a growing history, as lines of JSON.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "adapter/follow/prefix_check.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"

namespace elapid {

/// `{"event":"prefix",...}`: what was checked, and how each level stands.
[[nodiscard]] std::string prefix_event(const PrefixReport& report);

/// `{"event":"summary",...}`: the same of the last check, what it comes to, and whether the file
/// was whole.
[[nodiscard]] std::string summary_event(const PrefixReport& report, Validity validity,
                                        bool is_whole);

/// `{"event":"violation",...}`, or "provisional": these levels are violated. `explanation` is what
/// check says of it.
[[nodiscard]] std::string violation_event(std::string_view event, ModelSet levels,
                                          const PrefixReport& report,
                                          const std::string& explanation);

/// `{"event":"retracted",...}`: these levels are not violated after all.
[[nodiscard]] std::string retracted_event(PrefixSize size, ModelSet levels);

/// `{"event":"error",...}`
[[nodiscard]] std::string error_event(const Error& error);

}  // namespace elapid
