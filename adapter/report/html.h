// Escapes text of a history for a page. Keys, values, errors and names of files appear unchanged,
// and never act as markup, script or a change of direction.
#pragma once

#include <string>
#include <string_view>

namespace elapid {

/// Text made visible (engine/ir/visible.h) for an element or for an attribute in double quotes:
/// `&`, `<`, `>`, `"` and `'` are written as entities.
[[nodiscard]] std::string html(std::string_view text);

}  // namespace elapid
