// Which words are keywords and symbols.
#ifndef ELAPID_PARSERS_EDN_NAME_H_
#define ELAPID_PARSERS_EDN_NAME_H_

#include <string_view>

namespace elapid::edn {

/// Whether a word that does not begin like a number is a keyword (with its colon) or a symbol, by
/// the rules of Clojure's EDN reader: `a`, `ns/a`, `:1`, `/`, but not `:a/1`, `a/`, `::a` or `a:`.
bool is_name(std::string_view word);

}  // namespace elapid::edn

#endif  // ELAPID_PARSERS_EDN_NAME_H_
