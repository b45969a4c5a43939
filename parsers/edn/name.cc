#include "parsers/edn/name.h"

#include "parsers/edn/char_class.h"

namespace elapid::edn {

namespace {

bool can_begin(std::string_view part) {
  return !part.empty() && !is_digit(part.front()) && part.front() != '/';
}

/// `name` or `namespace/name`; the name may be a slash, the namespace may contain slashes.
bool is_symbol(std::string_view word) {
  if (word == "/") {
    return true;
  }
  const std::size_t last = word.rfind('/');
  if (last == std::string_view::npos) {
    return can_begin(word);
  }
  const bool is_slash = last == word.size() - 1;  // `ns//`
  const std::size_t end = is_slash ? last - 1 : last;
  const std::string_view space = word.substr(0, end);
  return can_begin(space) && !space.ends_with(':') &&
         (is_slash ? word[end] == '/' : can_begin(word.substr(end + 1)));
}

}  // namespace

bool is_name(std::string_view word) {
  if (word.empty() || word.ends_with(':') || word.find("::") != std::string_view::npos ||
      word.find_first_of("@`~") != std::string_view::npos) {
    return false;
  }
  // In Clojure's pattern the colon counts as the first letter, so `:1` and `:1/a` are keywords.
  return is_symbol(word) || (word.front() == ':' && is_symbol(word.substr(1)));
}

}  // namespace elapid::edn
