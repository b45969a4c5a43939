// Keywords and symbols as EDN. Clojure makes them of any strings; EDN can write only some.
#pragma once

#include <string>
#include <string_view>

namespace elapid::fressian {

enum class NameKind { kKeyword, kSymbol };

/// Appends the name whose namespace (or nil) and name have these EDN texts: `:ns/name`, `ns/name`,
/// and where EDN has no such word `#keyword "a b"` or `#symbol ["ns" "a b"]`.
void append_name(NameKind kind, std::string_view space, std::string_view name, std::string& out);

/// Whether EDN reads this text as one word of this kind.
[[nodiscard]] bool is_word(NameKind kind, std::string_view text);

/// Whether `#text` is a tag.
[[nodiscard]] bool is_tag(std::string_view text);

}  // namespace elapid::fressian
