// Comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// As RFC 4180 has it: on its line (engine/ir/visible.h), in quotes where a comma or a quote
/// is in it.
[[nodiscard]] std::string csv_field(std::string_view raw);

}  // namespace elapid
