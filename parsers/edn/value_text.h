// One EDN form as text.
#pragma once

#include <cstddef>
#include <string>

#include "parsers/edn/number.h"
#include "parsers/edn/scanner.h"

namespace elapid::edn {

/// Collections and tags around one another in a form that is kept; more are an error. Skipped forms
/// may be deeper.
inline constexpr std::size_t kMaxFormDepth = 512;

/// Appends the text of the form that the scanner's current token begins, and leaves the scanner on
/// the form's last token. Checks what the scanner does not: that maps are even, that keys and
/// elements are distinct (kCanonical only), and what follows #inst and #uuid. After an error of
/// this kind the scanner stands inside the form and can go on; after one of its own, see
/// Scanner::error(), it cannot. `out` then holds a part of the text. Time O(n log n) for a map or
/// set of n bytes, once more for each map or set around it.
///
/// kCanonical: see engine/ir/value_pool.h. kPrinted: as Clojure's `pr` does, except that a tagged
/// literal always has a space behind its tag, and that namespaces of maps are given to their keys.
Status append_form(Scanner& scanner, TextStyle style, std::string& out);

}  // namespace elapid::edn
