// Comma-separated values.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// A field by RFC 4180: on one line (engine/ir/visible.h), in quotes if it contains a comma or a
/// quote.
[[nodiscard]] std::string csv_field(std::string_view raw);

}  // namespace elapid
