#include "parsers/fressian/name_text.h"

#include <algorithm>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"

namespace elapid::fressian {

using edn::TokenKind;

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether the word consists of letters, digits and usual characters of names. Then it is a name
/// without a scan.
bool is_simple(std::string_view word) {
  static constexpr std::string_view kInside = "-_?!*<>=.";
  return !word.empty() && is_letter(word.front()) &&
         std::all_of(word.begin(), word.end(), [](char c) {
           return is_letter(c) || edn::is_digit(c) || kInside.find(c) != std::string_view::npos;
         });
}

bool is_one_token(std::string_view text, TokenKind kind) {
  constexpr std::size_t kWindow = 256;
  const auto source = memory_source({}, std::string(text));
  edn::Scanner scanner(*source, 0, kWindow);
  return scanner.next() == kind && scanner.token().text == text &&
         scanner.next() == TokenKind::kEnd;
}

bool is_constant(std::string_view text) {
  return text == "nil" || text == "true" || text == "false";
}

std::string_view unquoted(std::string_view token) {
  return token.substr(1, token.size() - 2);
}

}  // namespace

bool is_word(NameKind kind, std::string_view text) {
  if (kind == NameKind::kKeyword) {
    return (text.starts_with(':') && is_simple(text.substr(1))) ||
           is_one_token(text, TokenKind::kKeyword);
  }
  return (is_simple(text) && !is_constant(text)) || is_one_token(text, TokenKind::kSymbol);
}

bool is_tag(std::string_view text) {
  return !text.empty() && is_letter(text.front()) && is_word(NameKind::kSymbol, text);
}

void append_name(NameKind kind, std::string_view space, std::string_view name, std::string& out) {
  const std::size_t begin = out.size();
  const bool has_space = space != "nil";
  out += kind == NameKind::kKeyword ? ":" : "";
  if (has_space) {
    out += unquoted(space);
    out += '/';
  }
  out += unquoted(name);
  if (is_word(kind, std::string_view(out).substr(begin))) {
    return;
  }
  out.resize(begin);
  out += kind == NameKind::kKeyword ? "#keyword " : "#symbol ";
  if (has_space) {
    out += '[';
    out += space;
    out += ' ';
  }
  out += name;
  out += has_space ? "]" : "";
}

}  // namespace elapid::fressian
