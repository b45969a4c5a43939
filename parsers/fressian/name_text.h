// Keywords and symbols as EDN. Clojure makes them of any string; EDN can write only some.
#pragma once

#include <string>
#include <string_view>

namespace elapid::fressian {

enum class NameKind { kKeyword, kSymbol };

/// Appends the name of a namespace (or nil) and a name, which are EDN texts: `:ns/name`, `ns/name`,
/// and if EDN has no such word `#keyword "a b"` or `#symbol ["ns" "a b"]`.
void append_name(NameKind kind, std::string_view space, std::string_view name, std::string& out);

/// Whether EDN reads this text as one word of this kind.
[[nodiscard]] bool is_word(NameKind kind, std::string_view text);

/// Whether `#text` is a tag.
[[nodiscard]] bool is_tag(std::string_view text);

}  // namespace elapid::fressian
