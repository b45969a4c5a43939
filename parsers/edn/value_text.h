// One EDN form as text.
#pragma once

#include <cstddef>
#include <string>

#include "parsers/edn/number.h"
#include "parsers/edn/scanner.h"

namespace elapid::edn {

/// The deepest nesting of collections and tags in a form that is kept; more is an error. Skipped
/// forms may be deeper.
inline constexpr std::size_t kMaxFormDepth = 512;

/// Appends the text of the form that the scanner's current token begins, and leaves the scanner on
/// the form's last token. Makes the checks that the scanner omits: maps are even, keys and elements
/// are distinct (kCanonical only), and the values of #inst and #uuid. After such an error the
/// scanner is inside the form and can go on; after an error of its own, see Scanner::error(), it
/// cannot. `out` then holds a part of the text. Time O(n log n) for a map or set of n bytes, once
/// more for each map or set around it.
///
/// kCanonical: see engine/ir/value_pool.h. kPrinted: as Clojure's `pr` prints, except that a tagged
/// literal always has a space after its tag, and that keys get their map's namespace.
Status append_form(Scanner& scanner, TextStyle style, std::string& out);

}  // namespace elapid::edn
