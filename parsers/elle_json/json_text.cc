#include "parsers/elle_json/json_text.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "engine/ir/json_string.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/edn/value_text.h"

namespace elapid {

namespace {

constexpr std::size_t kWindowBytes = 4096;

void append_escaped(char c, std::string& out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (byte < 0x20) {
    out += "\\u00";
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  } else {
    out += c;
  }
}

/// Appends a printed EDN string. Its escapes mean the same in JSON.
void append_string_token(std::string_view token, std::string& out) {
  std::ranges::for_each(token, [&](char c) { append_escaped(c, out); });
}

/// Whether JSON has the number: `1.5`, `-2`, `1.0E10`; not `1/2`, `##NaN`.
bool is_json_number(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= '0' && c <= '9') || std::string_view("+-.eE").find(c) != std::string_view::npos;
  });
}

/// Converts the form at the scanner into JSON, with a stack of open collections instead of
/// recursion.
class Converter {
 public:
  Converter(edn::Scanner& scanner, std::string& out) : scanner_(scanner), out_(out) {}

  void run() {
    do {
      step(scanner_.next());
    } while (!open_.empty() && !is_over());
  }

 private:
  struct Open {
    bool is_map = false;
    std::size_t items = 0;
  };

  [[nodiscard]] bool is_over() const {
    return scanner_.token().kind == edn::TokenKind::kEnd ||
           scanner_.token().kind == edn::TokenKind::kError;
  }

  void step(edn::TokenKind kind) {
    if (is_close(kind)) {
      out_ += open_.back().is_map ? '}' : ']';
      open_.pop_back();
      return;
    }
    const bool is_key = separate();
    if (is_key && kind != edn::TokenKind::kString && kind != edn::TokenKind::kKeyword) {
      append_whole_form();
    } else if (is_open(kind)) {
      open_.push_back({.is_map = kind == edn::TokenKind::kOpenMap});
      out_ += open_.back().is_map ? '{' : '[';
    } else {
      append_atom(kind);
    }
  }

  /// Writes the text before the next item. Returns whether the item is a key of a map.
  bool separate() {
    if (open_.empty()) {
      return false;
    }
    Open& inside = open_.back();
    const std::size_t place = inside.items++;
    const bool is_value = inside.is_map && place % 2 == 1;
    out_ += is_value ? ": " : place > 0 ? ", " : "";
    return inside.is_map && !is_value;
  }

  void append_atom(edn::TokenKind kind) {
    const std::string_view text = scanner_.token().text;
    switch (kind) {
      case edn::TokenKind::kNil:
        out_ += "null";
        break;
      case edn::TokenKind::kTrue:
      case edn::TokenKind::kFalse:
        out_ += text;
        break;
      case edn::TokenKind::kString:
        append_string_token(text, out_);
        break;
      case edn::TokenKind::kKeyword:
        append_json_string(text.substr(1), out_);
        break;
      case edn::TokenKind::kTag:
        append_whole_form();
        break;
      case edn::TokenKind::kInteger:
      case edn::TokenKind::kBigInteger:
      case edn::TokenKind::kFloat:
      case edn::TokenKind::kDecimal:
        append_number(text);
        break;
      default:
        append_json_string(text, out_);
    }
  }

  void append_number(std::string_view text) {
    const bool has_suffix = text.ends_with('N') || text.ends_with('M');
    const std::string_view number = text.substr(0, text.size() - (has_suffix ? 1 : 0));
    if (is_json_number(number)) {
      out_ += number;
    } else {
      append_json_string(text, out_);
    }
  }

  void append_whole_form() {
    std::string text;
    if (edn::append_form(scanner_, edn::TextStyle::kPrinted, text).ok()) {
      append_json_string(text, out_);
    }
  }

  edn::Scanner& scanner_;
  std::string& out_;
  std::vector<Open> open_;
};

}  // namespace

void append_json_of_edn(std::string_view edn, std::string& out) {
  const std::unique_ptr<ByteSource> source = memory_source("value", std::string(edn));
  edn::Scanner scanner(*source, 0, kWindowBytes);
  Converter(scanner, out).run();
}

}  // namespace elapid
