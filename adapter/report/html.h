// Text of a history as text of a page: whatever keys, values, errors and names of files hold, it
// is shown, and never markup, script or an order to the reader's eyes.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Text made visible (engine/ir/visible.h) for an element or for an attribute in double quotes:
/// `&`, `<`, `>`, `"` and `'` are written as entities.
[[nodiscard]] std::string html(std::string_view text);

}  // namespace elapid
