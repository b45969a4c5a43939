#include "parsers/json/json_of_edn.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ir/json_string.h"

namespace elapid {
namespace {

enum class LexemeKind : std::uint8_t { kOpen, kClose, kTag, kString, kAtom, kEnd };

struct Lexeme {
  LexemeKind kind = LexemeKind::kEnd;
  std::string_view text = {};
};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_space(char c) {
  return c == ' ' || c == ',' || (c >= '\t' && c <= '\r');
}

bool ends_atom(char c) {
  return is_space(c) || std::string_view("()[]{}\"").find(c) != std::string_view::npos;
}

/// Splits printed EDN into lexemes. The text comes from Elapid or a reader, so it is well formed;
/// other text ends early, and is never read past its end.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) {}

  Lexeme next() {
    const auto begin = std::find_if_not(rest_.begin(), rest_.end(), is_space);
    rest_.remove_prefix(static_cast<std::size_t>(begin - rest_.begin()));
    if (rest_.empty()) {
      return {};
    }
    switch (rest_.front()) {
      case '(':
      case '[':
      case '{':
        return take(LexemeKind::kOpen, 1);
      case ')':
      case ']':
      case '}':
        return take(LexemeKind::kClose, 1);
      case '"':
        return take(LexemeKind::kString, string_length());
      case '\\':  // the character itself may be a bracket or a space
        return take(LexemeKind::kAtom, atom_length(2));
      case '#':
        return hash();
      default:
        return take(LexemeKind::kAtom, atom_length(1));
    }
  }

  /// The text of the whole form that begins with `first`.
  std::string_view rest_of_form(const Lexeme& first) {
    const char* begin = first.text.data();
    const char* end = begin + first.text.size();
    std::size_t depth = first.kind == LexemeKind::kOpen ? 1 : 0;
    bool tagged = first.kind == LexemeKind::kTag;
    while (depth > 0 || tagged) {
      const Lexeme lexeme = next();
      if (lexeme.kind == LexemeKind::kEnd) {
        break;
      }
      end = lexeme.text.data() + lexeme.text.size();
      depth += lexeme.kind == LexemeKind::kOpen ? 1 : 0;
      depth -= lexeme.kind == LexemeKind::kClose ? 1 : 0;
      tagged = lexeme.kind == LexemeKind::kTag;
    }
    return {begin, static_cast<std::size_t>(end - begin)};
  }

 private:
  Lexeme take(LexemeKind kind, std::size_t length) {
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(text.size());
    return {kind, text};
  }

  Lexeme hash() {
    const char second = rest_.size() > 1 ? rest_[1] : ' ';
    if (second == '{') {
      return take(LexemeKind::kOpen, 2);
    }
    return take(second == '#' ? LexemeKind::kAtom : LexemeKind::kTag, atom_length(1));
  }

  [[nodiscard]] std::size_t atom_length(std::size_t at_least) const {
    std::size_t length = at_least;
    while (length < rest_.size() && !ends_atom(rest_[length])) {
      ++length;
    }
    return length;
  }

  [[nodiscard]] std::size_t string_length() const {
    std::size_t i = 1;
    while (i < rest_.size() && rest_[i] != '"') {
      i += rest_[i] == '\\' ? 2U : 1U;
    }
    return i + 1;
  }

  std::string_view rest_;
};

/// `\101` of EDN: JSON knows no octal escapes. Returns the number of digits read.
std::size_t append_octal(std::string_view digits, std::string& out) {
  unsigned code = 0;
  std::size_t length = 0;
  while (length < 3 && length < digits.size() && digits[length] >= '0' && digits[length] <= '7') {
    code = code * 8 + static_cast<unsigned>(digits[length] - '0');
    ++length;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  out += "\\u0";
  for (const unsigned shift : {8U, 4U, 0U}) {
    out += kDigits[code >> shift & 15U];
  }
  return length;
}

/// Converts a string with its quotes. JSON shares EDN's escapes except for octal ones.
void append_json_of_string(std::string_view literal, std::string& out) {
  const std::string_view body = literal.substr(1, literal.size() < 2 ? 0 : literal.size() - 2);
  out += '"';
  for (std::size_t i = 0; i < body.size();) {
    const std::size_t plain = std::min(body.find('\\', i), body.size()) - i;
    if (plain > 0) {
      append_json_text(body.substr(i, plain), out);
      i += plain;
    } else if (i + 1 == body.size()) {
      append_json_text(body.substr(i), out);
      ++i;
    } else if (is_digit(body[i + 1])) {
      i += 1 + append_octal(body.substr(i + 1), out);
    } else {
      out += body.substr(i, 2);
      i += 2;
    }
  }
  out += '"';
}

/// Length of the run of digits at the start of `text`.
std::size_t digits(std::string_view text) {
  const auto end = std::find_if_not(text.begin(), text.end(), is_digit);
  return static_cast<std::size_t>(end - text.begin());
}

/// Whether `text` is a number in JSON's grammar: no leading zeros, no ratio, no radix.
bool is_json_number(std::string_view text) {
  text.remove_prefix(text.starts_with('-') ? 1 : 0);
  const std::size_t whole = digits(text);
  if (whole == 0 || (whole > 1 && text.front() == '0')) {
    return false;
  }
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    const std::size_t fraction = digits(text.substr(1));
    if (fraction == 0) {
      return false;
    }
    text.remove_prefix(fraction + 1);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    text.remove_prefix(text.starts_with('+') || text.starts_with('-') ? 1 : 0);
    return !text.empty() && digits(text) == text.size();
  }
  return text.empty();
}

void append_json_of_atom(std::string_view atom, std::string& out) {
  if (atom == "nil") {
    out += "null";
  } else if (atom == "true" || atom == "false") {
    out += atom;
  } else if (atom.starts_with(':')) {
    append_json_string(atom.substr(1), out);
  } else {
    const bool suffixed = atom.ends_with('N') || atom.ends_with('M');
    const std::string_view number = atom.substr(0, atom.size() - (suffixed ? 1 : 0));
    if (is_json_number(number)) {
      out += number;
    } else {
      append_json_string(atom, out);
    }
  }
}

std::string json_of_key(std::string_view edn) {
  std::string key;
  if (edn.starts_with('"')) {
    append_json_of_string(edn, key);
  } else {
    append_json_string(edn.substr(edn.starts_with(':') ? 1 : 0), key);
  }
  return key;
}

struct Frame {
  bool map = false;
  std::size_t items = 0;
  JsonKeys keys = {};
};

void append_value(const Lexeme& lexeme, Lexer& lexer, std::vector<Frame>& open, std::string& out) {
  switch (lexeme.kind) {
    case LexemeKind::kOpen:
      open.push_back({.map = lexeme.text == "{"});
      out += open.back().map ? '{' : '[';
      break;
    case LexemeKind::kString:
      append_json_of_string(lexeme.text, out);
      break;
    case LexemeKind::kTag:
      append_json_string(lexer.rest_of_form(lexeme), out);
      break;
    case LexemeKind::kAtom:
      append_json_of_atom(lexeme.text, out);
      break;
    case LexemeKind::kClose:
    case LexemeKind::kEnd:
      break;
  }
}

}  // namespace

void append_json_of_edn(std::string_view edn, std::string& out) {
  Lexer lexer(edn);
  std::vector<Frame> open;
  do {
    const Lexeme lexeme = lexer.next();
    if (lexeme.kind == LexemeKind::kEnd) {
      break;
    }
    if (lexeme.kind == LexemeKind::kClose) {
      if (!open.empty()) {
        out += open.back().map ? '}' : ']';
        open.pop_back();
      }
      continue;
    }
    const bool in_map = !open.empty() && open.back().map;
    const std::size_t place = open.empty() ? 0 : open.back().items++;
    if (in_map && place % 2 == 1) {
      out += ": ";
    } else if (place > 0) {
      out += ", ";
    }
    if (in_map && place % 2 == 0) {
      open.back().keys.append(lexer.rest_of_form(lexeme), out);
    } else {
      append_value(lexeme, lexer, open, out);
    }
  } while (!open.empty());
}

void JsonKeys::append(std::string_view edn, std::string& out) {
  std::string key = json_of_key(edn);
  for (std::string text(edn); !taken_.insert(key).second; text += '\'') {
    key.clear();
    append_json_string(text, key);
  }
  out += key;
}

}  // namespace elapid
